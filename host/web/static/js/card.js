// One table as a card: number, state, clock, who plays, and what is to be known of it.

import { minutes } from "./clock.js";
import { el, icon, named } from "./dom.js";
import { SHAPES, onPaper, seats, stateOf, targetOf } from "./look.js";
import { say } from "./words.js";

const TURNS = 4; // of a line

/** A table's own clock, ticking: to its zero, or before the round to its start. */
export function clock(table, round) {
  const target = targetOf(table, round?.minutes);
  if (target === null || table.result) return null;
  return el("span", { class: "clock", "data-zero": target, "data-still": table.frozen_ms });
}

/** The marks of what is to be known: words in a line. */
export function marks(table) {
  const found = placeMarks(table);
  if (table.swapped) found.push(["", say("mark.swapped", { a: table.b?.name, b: table.a?.name })]);
  if (table.extension_s) found.push(["given", `+${Math.floor(table.extension_s / 60)} ${say("min")}`]);
  if (table.extension_s && table.seen !== undefined && table.seen !== 3 && !table.result) found.push(["", say("mark.unseen", { seats: seats(3 & ~table.seen).map((seat) => SHAPES[seat]).join(" ") })]);
  for (const seat of seats(table.late ?? 0)) found.push(["late", say("mark.late", { seat: SHAPES[seat] })]);
  if (table.roll) found.push([table.roll === "disputed" ? "need" : "", say(`roll.${table.roll}`)]);
  if (table.proposal?.approval) found.push(["need", say("mark.approval")]);
  if (table.missing_board && !table.result) found.push(["need", say("mark.missing_board")]); // a result needs none any more
  for (const flag of ["uncertain", "silent", "low", "incomplete"]) if (table[flag]) found.push(["need", say(`mark.${flag}`)]);
  if (table.piles && !table.result) found.push(["", say("mark.piles", Object.fromEntries(["a", "b"].map((seat, at) => [seat, table.piles[at].join(" + ")])))]);
  if (table.turn_times?.length) found.push(["turns", turnTimes(table)]);
  if (table.result?.against) found.push(["need", say("need.conflict")]);
  else if (["announced", "paper"].includes(table.result?.by)) found.push(["", say(`by.${table.result.by}`)]);
  return found.map(marked);
}

/** What is special about a table in every round: it is a feature table, or somebody always plays there. */
export function placeMarks(table) {
  return ["feature", "kept"].filter((word) => table?.[word]).map((word) => [word, say(`mark.${word}`)]);
}

/** A kind of mark and its words as they stand on a page. */
export const marked = ([kind, text]) => el("span", { class: `mark ${kind}` }, text);

/** The last counted turns in a line: who held each, and for how long. */
function turnTimes(table) {
  const told = table.turn_times.slice(-TURNS).map(([who, seconds]) => `${who} ${minutes(seconds * 1000)}`);
  return `${say("turn_times")} ${told.join(" ")}`;
}

/** What a player plays with, in a line: a squad's obstacles, a team's members. */
export function detailsOf(player) {
  return player?.obstacles?.join(", ") ?? player?.members?.map((one) => one.name).join(", ") ?? "";
}

/** The word of a table's state, with the overtime turn or the winner. */
export function stateWord(table, nowMs) {
  const state = stateOf(table, nowMs);
  if (state === "done") return resultWords(table);
  if (onPaper(table, nowMs)) return say("state.paper");
  if (state === "overtime" && table.turn) return say("turn_of", { turn: table.turn, turns: table.turns ?? 3 });
  if (state === "deciding") return say(`phase.${table.phase}`);
  return say(`state.${state}`);
}

/** A result: who won and the games, or a tie. */
export function resultWords(table) {
  return table.result ? resultOf(table, table.result) : say("state.done");
}

/** The same of any result of a table: its own, or what its board says against it. */
export function resultOf(table, result) {
  const several = table.best_of > 1 || result.games.some((count) => count > 1);
  const figures = result.destroyed ?? (several && result.games.some((count) => count) ? result.games : null);
  const score = figures ? `${figures[0]}–${figures[1]}` : "";
  const outcome = score ? `${outcomeWords(result.outcome)} ${result.outcome === "tie" ? `(${score})` : score}` : outcomeWords(result.outcome);
  return result.narrow ? say("narrow_win", { outcome }) : outcome;
}

/** Who won, a tie, or that both lose. */
export function outcomeWords(outcome) {
  if (outcome === "tie") return say("tie");
  return outcome === "neither" ? say("both_lose") : say("wins", { seat: SHAPES[outcome] ?? outcome });
}

function player(table, seat) {
  const details = detailsOf(table[seat.toLowerCase()]);
  const won = table.result?.outcome === seat;
  return el("span", { class: `player ${won ? "won" : ""}` },
    el("span", { class: "shape", "aria-label": say(`seat.${seat}`), role: "img" }, SHAPES[seat]), named(table[seat.toLowerCase()]),
    table.best_of > 1 ? el("span", { class: "games" }, (table.result ?? table).games[seat === "A" ? 0 : 1]) : null,
    details ? el("small", { class: "details" }, el("bdi", {}, details)) : null);
}

/**
 * The button of a table with what `parts()` gives after its mark; it opens what can be done there. One that is there
 * unchanged, at the same `place` of the page, is only named: `drawn` holds what each was last drawn from.
 */
export function tableButton(drawn, table, round, nowMs, place, parts) {
  const state = stateOf(table, nowMs);
  const called = table.call ? "called" : "";
  const key = `t${table.table}`;
  const beside = `${state} ${round?.minutes} ${place}`;
  if (drawn.get(table) === beside && document.getElementById(key)) return el("button", { "data-key": key, "data-same": true });
  drawn.set(table, beside);
  return el("button", { type: "button", id: key, class: `card s-${state} ${called}`, "data-key": key, "data-act": "open", "data-table": table.table },
    el("span", { class: "fill" }, icon(called ? "call" : state)), parts());
}

/** What a table does, or what its call is about. */
export const wordOf = (table, nowMs) => (table.call ? say(`call.${table.call.type ?? "other"}`) : stateWord(table, nowMs));

/** Since when a call waits, else the table's own clock. */
export const clockOf = (table, round) => (table.call && !table.call.arrived_ms ? el("span", { class: "clock", "data-since": table.call.since_ms }) : clock(table, round));

const drawn = new WeakMap(); // table -> what else its card was drawn from

/** The card of a table. */
export function card(table, round, nowMs, place = "") {
  return tableButton(drawn, table, round, nowMs, place, () => [
    el("span", { class: "number" }, el("span", { class: "unseen" }, `${say("table")} `), table.table),
    el("span", { class: "word" }, wordOf(table, nowMs)),
    clockOf(table, round),
    el("span", { class: "players" }, player(table, "A"), player(table, "B")),
    el("span", { class: "marks" }, marks(table))]);
}
