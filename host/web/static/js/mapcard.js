// A table on the hall's map: its mark, number and clock; the rest is for who listens, in one text, as a thousand are drawn.

import { clock, marks, stateWord } from "./card.js";
import { el, icon } from "./dom.js";
import { SHAPES, stateOf } from "./look.js";
import { say } from "./words.js";

const drawn = new WeakMap(); // table -> what else its card was drawn from

function told(table, nowMs) {
  const word = table.call ? say(`call.${table.call.type ?? "other"}`) : stateWord(table, nowMs);
  const players = ["A", "B"].map((seat) => `${SHAPES[seat]} ${table[seat.toLowerCase()]?.name ?? "–"}`).join(" ");
  return [`${say("table")} ${table.table}, ${word}, `, el("bdi", {}, players), ["", ...marks(table).map((mark) => mark.textContent)].join(", ")];
}

/** The card of a table on a map: a button that opens what can be done there. One that is there unchanged is only named. */
export function mapCard(table, round, nowMs, place = "") {
  const state = stateOf(table, nowMs);
  const called = table.call ? "called" : "";
  const key = `t${table.table}`;
  const beside = `${state} ${round?.minutes} ${place}`;
  if (drawn.get(table) === beside && document.getElementById(key)) return el("button", { "data-key": key, "data-same": true });
  drawn.set(table, beside);
  return el("button", { type: "button", id: key, class: `card s-${state} ${called}`, "data-key": key, "data-act": "open", "data-table": table.table },
    el("span", { class: "fill" }, icon(called ? "call" : state)),
    el("span", { class: "number", "aria-hidden": "true" }, table.table),
    table.call && !table.call.arrived_ms ? el("span", { class: "clock", "data-since": table.call.since_ms }) : clock(table, round),
    el("span", { class: "word" }, told(table, nowMs)));
}
