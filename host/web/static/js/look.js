// What a table looks like: its state's word, mark and fill, what it needs, and which list it belongs to.

import { left } from "./clock.js";
import { holds, isNumber } from "./find.js";

export const WARNING_MS = 300000;
const OVER = ["time", "overtime", "finishing"];
const DECIDING = ["resolving", "play_on", "tiebreaker", "proposed"];

/** The state of a table as one word: it names the text, the mark and the fill. */
export function stateOf(table, nowMs) {
  if (table.result || table.phase === "agreed") return "done";
  if (OVER.includes(table.phase)) return table.phase === "time" ? "time" : "overtime";
  if (DECIDING.includes(table.phase)) return "deciding";
  if (table.phase === "playing" && timeOf(table, nowMs) !== null && timeOf(table, nowMs) <= WARNING_MS) return "warning";
  return table.phase;
}

/** Whether a table has no board that could report: its result comes on paper. */
export function onPaper(table, nowMs) {
  return table.boardless && stateOf(table, nowMs) === "idle";
}

/** What a table's own clock has left, in ms, or null. */
export function timeOf(table, nowMs) {
  return left(table.zero_ms, table.frozen_ms, nowMs);
}

/** The instant that a table's clock runs to: its start before it, its zero after. */
export function targetOf(table, minutes) {
  if (table.zero_ms === null || table.zero_ms === undefined) return null;
  const early = table.phase === "pregame" || table.phase === "seated";
  return early && minutes ? table.zero_ms - minutes * 60000 - (table.extension_s ?? 0) * 1000 : table.zero_ms;
}

export const FILTERS = {
  all: () => true,
  playing: (table) => !table.result && ["playing", "frozen", ...OVER, ...DECIDING].includes(table.phase),
  overtime: (table) => !table.result && OVER.includes(table.phase),
  open: (table) => !table.result,
  extended: (table) => table.extension_s > 0,
  uncertain: (table) => table.uncertain,
};

/** Whether a table's number or one of its names holds what was typed. */
export function found(table, typed) {
  const wanted = typed.trim();
  if (!wanted) return true;
  const players = [table.a, table.b].filter(Boolean).flatMap((player) => [player, ...(player.members ?? [])]);
  if (/^\d+$/.test(wanted)) return String(table.table).startsWith(wanted) || players.some((player) => isNumber(player.number, wanted));
  return players.some((player) => holds([player.name, player.number ?? ""], wanted));
}

/** Tables as a judge goes through them: by need, then by the least time, then by number. */
export function byNeed(tables, nowMs) {
  const rank = (table) => [-(table.need ?? 0), table.result ? 1 : 0, timeOf(table, nowMs) ?? Infinity, table.table];
  return tables.map((table) => [rank(table), table]).sort(([a], [b]) => ordered(a, b)).map(([, table]) => table);
}

function ordered(a, b) {
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return a[at] < b[at] ? -1 : 1;
  return 0;
}

/** The seats whose bits are set. */
export function seats(bits) {
  return ["A", "B"].filter((_, at) => bits & (1 << at));
}

export const SHAPES = { A: "▲", B: "●" };

const CLOSE_MS = 120000; // so far tables may be from the host's account after the room was stopped: each heard of it at its time

/** The room's own zero: what most tables have without their extensions. A stop of the room moves it, a few tables' own stops do not: where few still play, the host's own account counts. */
export function roomClock(state) {
  const { round, paused } = state;
  const told = { zero: round?.zero_ms ?? null, still: paused?.since_ms ?? null };
  const tables = Object.values(state.tables);
  const best = mostVotes(state, tables);
  if (!best) return told;
  const few = told.zero !== null && 2 * best.count < tables.length;
  const apart = !round?.stood_ms || Math.abs(best.zero - told.zero) > CLOSE_MS;
  return few && apart ? told : { zero: best.zero, still: best.still };
}

function mostVotes(state, tables) {
  const votes = new Map();
  for (const table of tables) {
    if (table.zero_ms === null || table.zero_ms === undefined || table.result) continue;
    if (!["pregame", "playing", "frozen", ...OVER].includes(table.phase)) continue;
    const zero = table.zero_ms - (table.extension_s ?? 0) * 1000;
    const still = state.paused ? table.frozen_ms ?? state.paused.since_ms : null;
    const key = `${Math.round(zero / 1000)} ${still === null ? "" : Math.round(still / 1000)}`;
    const vote = votes.get(key) ?? { zero, still, count: 0 };
    vote.count += 1;
    votes.set(key, vote);
  }
  return [...votes.values()].sort((a, b) => b.count - a.count || a.zero - b.zero)[0];
}
