// A table on the hall's map: its mark, number and clock; the rest is for who listens, in one text, as a thousand are drawn.

import { clockOf, marks, tableButton, wordOf } from "./card.js";
import { el } from "./dom.js";
import { SHAPES } from "./look.js";
import { say } from "./words.js";

const drawn = new WeakMap(); // table -> what else its card was drawn from

function told(table, nowMs) {
  const players = ["A", "B"].map((seat) => `${SHAPES[seat]} ${table[seat.toLowerCase()]?.name ?? "–"}`).join(" ");
  return [`${say("table")} ${table.table}, ${wordOf(table, nowMs)}, `, el("bdi", {}, players), ["", ...marks(table).map((mark) => mark.textContent)].join(", ")];
}

/** The card of a table on a map. */
export function mapCard(table, round, nowMs, place = "") {
  return tableButton(drawn, table, round, nowMs, place, () => [
    el("span", { class: "number", "aria-hidden": "true" }, table.table),
    clockOf(table, round),
    el("span", { class: "word" }, told(table, nowMs))]);
}
