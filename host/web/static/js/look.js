// What a table looks like: its state's word, mark and fill, what it needs, and which list it belongs to.

import { left } from "./clock.js";
import { holds, isNumber } from "./find.js";

const WARNING_MS = 300000;
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
  const players = [table.a, table.b].filter(Boolean);
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

/** The room's own zero: what most tables have without their extensions; a pause of all moves it, one table's does not. */
export function roomClock(state) {
  const votes = new Map();
  for (const table of Object.values(state.tables)) {
    if (table.zero_ms === null || table.zero_ms === undefined || table.result) continue;
    if (!["pregame", "playing", "frozen", ...OVER].includes(table.phase)) continue;
    const zero = table.zero_ms - (table.extension_s ?? 0) * 1000;
    const still = state.paused ? table.frozen_ms ?? state.paused.since_ms : null;
    const key = `${Math.round(zero / 1000)} ${still === null ? "" : Math.round(still / 1000)}`;
    const vote = votes.get(key) ?? { zero, still, count: 0 };
    vote.count += 1;
    votes.set(key, vote);
  }
  const best = [...votes.values()].sort((a, b) => b.count - a.count)[0];
  if (best) return { zero: best.zero, still: best.still };
  return { zero: state.round?.zero_ms ?? null, still: null };
}
