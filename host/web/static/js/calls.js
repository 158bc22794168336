// The queue of calls: the longest wait first, those that a judge has come to last.

import { marked, placeMarks } from "./card.js";
import { button, el, icon, named } from "./dom.js";
import { SHAPES } from "./look.js";
import { say } from "./words.js";

/** The calls of a state in their order; those that the judge of a page must go to before others. */
export function queue({ state, wire }) {
  const later = (call) => [Boolean(call.arrived_ms), !isFor({ state, wire }, call)];
  return Object.values(state.calls ?? {}).sort((a, b) => later(a)[0] - later(b)[0] || later(a)[1] - later(b)[1] || a.since_ms - b.since_ms);
}

/** Whether a call is one for the judge of this page: in the tables given to them or to nobody, or for the head judge. */
export function isFor({ state, wire }, call) {
  if (call.claimed?.head) return HEADS.includes(wire.me.role);
  const has = (zone) => zone.first <= call.table && call.table <= zone.last;
  const zone = state.zones?.[wire.me.id];
  return !zone || has(zone) || !Object.values(state.zones).some(has);
}

/** Whether the judge of this page goes: names may be alike, links are not. */
export function isMine(shell, call) {
  return Boolean(call?.claimed?.by) && call.claimed.link === shell.wire.me.id;
}

const HEADS = ["head", "organiser"];
const FIRST = 2; // on a phone; the others are one touch away, and the search box stays in sight
export const narrow = matchMedia("(max-width: 999px)"); // as css/judge.css

/** The queue as a list with what a judge does about each call; on a phone its first, and none while a table is sought. */
export function callList(shell, seeking = false) {
  const all = shell.steady.order("calls", queue(shell).map((call) => call.table)).map((table) => shell.state.calls[table]);
  const most = !narrow.matches || shell.allCalls ? all.length : seeking ? 0 : FIRST;
  const rest = all.length - most;
  return el("section", { class: "calls", "aria-label": say("calls"), "data-steady": "calls", "data-key": "calls" },
    el("h2", {}, say("calls"), el("span", { class: `count ${all.length ? "some" : ""}` }, all.length)),
    all.length ? el("ol", {}, all.slice(0, most).map((call) => one(shell, call))) : el("p", { class: "quiet" }, say("no_calls")),
    rest > 0 ? button("calls_all", say("calls.rest", { count: rest }), {}, "rest") : null,
    shell.allCalls && narrow.matches && all.length > FIRST ? button("calls_few", say("calls.few"), {}, "rest") : null);
}

/** Closed calls, the last first: each can be reopened. */
export function pastCalls(shell) {
  const past = shell.state.past_calls ?? [];
  if (!past.length || !shell.may("put_back")) return null;
  return el("details", { class: "past", "data-key": "past" }, el("summary", {}, say("calls.past")),
    el("ol", {}, past.map((call) => el("li", { "data-key": `p${call.table}-${call.since_ms}` },
      el("b", {}, `${say("table")} ${call.table}`), " ", el("span", { class: "clock", "data-since": call.since_ms, "data-until": call.ended_ms }), " ",
      shell.state.calls?.[call.table] ? null : button("put_back", say("act.put_back"), { table: call.table })))));
}

function one(shell, call) {
  const table = shell.state.tables[call.table];
  const data = { table: call.table };
  const mine = isMine(shell, call);
  const taken = Boolean(call.claimed?.by);
  return el("li", { class: `call ${call.arrived_ms ? "here" : ""} ${isFor(shell, call) ? "" : "elsewhere"}`, "data-key": `c${call.table}` },
    el("span", { class: "fill" }, icon("call")),
    el("button", { type: "button", class: "plain number", "data-act": "open", ...Object.fromEntries([["data-table", call.table]]) },
      el("span", { class: "unseen" }, `${say("table")} `), call.table),
    el("span", { class: "type" }, say(`call.${call.type}`), placeMarks(table).map((mark) => [" ", marked(mark)])),
    el("span", { class: "wait" }, el("span", { class: "unseen" }, `${say("waits")} `),
      el("span", { class: "clock", "data-since": call.since_ms, "data-until": call.arrived_ms })),
    table ? el("span", { class: "players" }, SHAPES.A, " ", named(table.a), " · ", SHAPES.B, " ", named(table.b)) : null,
    el("span", { class: "who" }, call.claimed?.head ? [el("b", {}, say("call.to_head")), " ", el("span", { class: "clock", "data-since": call.claimed.at_ms })]
      : taken ? [icon("seated"), mine ? say("claimed.me") : el("bdi", {}, call.claimed.by)] : say("claimed.none")),
    el("span", { class: "acts" },
      taken || call.arrived_ms ? null : button("claim", say("act.claim"), data, "strong"),
      taken && !mine && !call.arrived_ms ? button("instead", say("act.instead"), data) : null,
      mine && !call.arrived_ms ? button("unclaim", say("act.unclaim"), data) : null,
      call.arrived_ms ? null : button("arrive", say("act.arrive"), data, taken ? "strong" : ""),
      !call.claimed?.head && shell.may("to_head") && !HEADS.includes(shell.wire.me.role) ? button("to_head", say("act.to_head"), data) : null,
      call.asked ? button("open", say("act.decide"), data, call.arrived_ms ? "strong" : "") : button("resolve", say("act.resolve"), data, call.arrived_ms ? "strong" : "")));
}

/** The acts of the queue's buttons. */
export const CALL_ACTS = {
  calls_all: (shell) => { shell.allCalls = true; shell.draw(); },
  calls_few: (shell) => { shell.allCalls = false; shell.draw(); },
  claim: (shell, { table }) => shell.act("claim", { table: Number(table) }),
  instead: (shell, { table }) => shell.act("claim", { table: Number(table), instead: true }),
  unclaim: (shell, { table }) => shell.act("unclaim", { table: Number(table) }),
  to_head: (shell, { table }) => shell.act("to_head", { table: Number(table) }),
  arrive: (shell, { table }) => shell.act("arrive", { table: Number(table) }),
  put_back: (shell, { table }) => shell.act("put_back", { table: Number(table) }),
  resolve: async (shell, { table }) => {
    const told = await shell.act("resolve", { table: Number(table) });
    if (!told?.extend_proposed) return;
    shell.proposed = { table: Number(table), minutes: told.extend_proposed }; // before the board has told that its call is over
    shell.acts.open(shell, { table });
  },
};
