// One table over a stream: who plays, the score, and the clock or the turn after time. Nothing where nobody plays there.

import { here } from "./base.js";
import { left, minutes } from "./clock.js";
import { el, fill, icon } from "./dom.js";
import { targetOf } from "./look.js";
import { say } from "./words.js";
import { Wire } from "./wire.js";

const TICK_MS = 250;
const OVER = ["time", "overtime", "finishing"]; // phases after time
const number = location.pathname.split("/").at(-1);
const layout = new URLSearchParams(location.search).get("layout") ?? "bar";
let shut = false;

/** When a table's clock is over, and since when it stands: its board's own, or the round's where no board is. */
function clockOf(table, { round, paused }) {
  const own = targetOf(table, round.minutes);
  if (own !== null || !table.boardless || !round.zero_ms) return [own, table.frozen_ms];
  const start = round.zero_ms - round.minutes * 60000;
  return [wire.now < start ? start : round.zero_ms, paused?.since_ms ?? null];
}

/** The turn after time, the time that is left, or nothing: no clock that nobody vouches for is shown. */
function time(table, state) {
  if (table.result || !wire.connected) return null;
  if (OVER.includes(table.phase)) return el("b", { class: "time over" }, table.phase === "overtime" && table.turn ? say("turn_of", { turn: table.turn, turns: table.turns || 3 }) : say("wall.time"));
  const [zero, still] = clockOf(table, state);
  const rest = left(zero, still, wire.now);
  if (rest === null) return null;
  return el("b", { class: "time", role: "timer" }, still === null ? null : icon("frozen"), minutes(Math.max(0, rest)));
}

/** The score: games, or what a result counts; null while there is none to show. */
function score({ result, games, best_of: most }) {
  if (result?.destroyed) return result.destroyed;
  const told = result?.games ?? games;
  return most > 1 || told.some((count) => count > 1) ? told : null;
}

function player(table, seat, at) {
  const [figures, won] = [score(table), table.result?.outcome === seat];
  return el("p", { class: `player ${won ? "won" : ""}` }, won ? icon("done") : null, el("bdi", { class: "name" }, table[seat.toLowerCase()].name),
    figures ? el("b", { class: "score" }, figures[at]) : null);
}

function draw() {
  const table = shut ? null : wire.state?.tables?.[number];
  fill(document.body, table ? el("main", { class: `overlay ${layout}`, "data-key": "overlay" }, player(table, "A", 0), time(table, wire.state), player(table, "B", 1)) : null);
}

const wire = new Wire(draw, here, () => { shut = true; draw(); });
document.title = `${say("table")} ${number} · PlusThree`;
if (await wire.enter()) setInterval(draw, TICK_MS);
