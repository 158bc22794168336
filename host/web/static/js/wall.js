// The wall, for a projector: the round's clock as large as it goes, who still plays, and where a judge goes.

import { left, minutes } from "./clock.js";
import { figures, shapeOf, word } from "./dial.js";
import { el, icon } from "./dom.js";
import { narrow, queue } from "./calls.js";
import { FILTERS, WARNING_MS, roomClock } from "./look.js";
import { SeatList } from "./seatlist.js";
import { pageOf, partAsked, rowsThatFit, seatsStage, wallOf, wallsFor } from "./wallseats.js";
import { Shell } from "./shell.js";
import { Tone } from "./tone.js";
import { say } from "./words.js";

const MOST = 12; // tables named one by one
const CALLS = 4; // shown at a time
const PAST = 3; // of them over
const OLD_MS = 600000; // a call that is over leaves the wall then
const SEATING = ["published", "seated", "pregame"]; // while they last, the list of seats is what everybody looks for
const asked = partAsked(location.search);
const tone = new Tone();
const PADDED = 0.1; // ems of ground about what stands on a fill
const seen = { zero: null, before: null, shape: null, page: null };
let rows = 12; // of seats, measured
let told = null; // how many walls are needed, once somebody was told

/** What the wall says now; a room that stands still says so whatever else holds. */
function moment(shell) {
  const at = inRound(shell);
  return shell.state.paused && at.state !== "closed" ? { ...at, state: "frozen" } : at;
}

function inRound(shell) {
  const { zero, still } = roomClock(shell.state);
  const { round } = shell.state;
  if (round.untimed && round.state === "running") return shell.now < round.start_ms ? { state: "pregame", left: round.start_ms - shell.now, zero: round.start_ms, still } : { state: "untimed", left: null };
  if (zero === null) return { state: round.hidden && round.state === "running" ? "hidden" : round.state, left: null };
  const start = zero - round.minutes * 60000;
  const now = still ?? shell.now;
  if (round.state === "closed" || round.results === round.tables) return { state: "closed", left: null };
  if (now < start) return { state: "pregame", left: start - now, zero: start, still };
  const rest = left(zero, still, shell.now);
  const state = rest <= 0 ? "overtime" : rest <= WARNING_MS ? "warning" : "playing";
  return { state, left: rest, zero, still, part: Math.max(0, Math.min(1, rest / (round.minutes * 60000))) };
}

/** The page of seats that is due while players go to their tables, until the round starts; null at other times. */
function seats(shell) {
  const { round } = shell.state;
  if (!SEATING.includes(inRound(shell).state) || list.round !== round.number) return null;
  const lines = (asked ?? ((all) => all))(list.lines);
  return lines.length ? pageOf(lines, rows, shell.now) : null;
}

function big(at, page) {
  if (page) return seatsStage(page);
  if (at.left === null) return el("div", { class: "stage", "data-key": "words" }, el("p", { class: "big words" }, say(`wall.${at.state}`)));
  const [told, drawing] = at.state === "overtime" ? [{ class: "big time" }, word(say("wall.time"), PADDED)]
    : [{ class: "big clock", role: "timer" }, figures(minutes(at.left), { "data-zero": at.zero, "data-still": at.still }, at.state === "warning" ? PADDED : undefined)];
  return el("div", { class: "stage", "data-key": "stage" }, el("p", told, drawing));
}

/** Before a round is published: whose event it is, and that it begins soon. */
function nothingYet({ event }) {
  return el("div", { class: "wall s-draft", "data-key": "wall" }, el("header", {}, el("bdi", { class: "title" }, event?.name ?? "")),
    el("div", { class: "stage", "data-key": "words" }, el("p", { class: "big words" }, say("wall.none"))));
}

function render(shell) {
  const { state } = shell;
  if (!state.round) return nothingYet(state);
  const at = moment(shell);
  const tables = Object.values(state.tables);
  const playing = tables.filter(FILTERS.open).sort((a, b) => a.table - b.table);
  const over = tables.filter(FILTERS.overtime).length;
  const early = ["draft", "published", "seated", "pregame"].includes(at.state);
  const page = seats(shell);
  return el("div", { class: `wall s-${at.state} ${page ? "seating" : ""}`, "data-key": "wall" },
    asked ? null : el("p", { class: "line" }, icon("warning"), el("span", {}, say("wall.address"))),
    el("header", {}, el("span", { class: "title" }, say("round_number", { number: state.round.number })),
      tone.ready ? null : el("button", { type: "button", class: "sound", "data-act": "sound" }, say("sound_on")), el("span", { class: "word" }, icon(shell.lost ? "warning" : at.state), say(shell.lost ? "clock.lost" : `wall.now.${at.state}`),
        at.state === "overtime" ? el("span", { class: "since", "data-since": at.zero, "data-until": at.still }) : null,
        page && at.left !== null ? el("span", { class: "clock", role: "timer", "data-zero": at.zero, "data-still": at.still }) : null)),
    big(at, page),
    page ? null : el("div", { class: "track", "aria-hidden": "true" }, bar(at.part)),
    el("footer", {},
      page?.label ? el("span", { class: "page" }, page.label) : null,
      el("div", { class: "counts" }, early || !playing.length ? null : [
        fact(playing.length, say("wall.playing", { count: playing.length })), over ? fact(over, say("wall.overtime"), "over") : null,
        playing.length <= MOST ? el("p", { class: "which" }, playing.map((table) => el("span", { class: table.call ? "called" : FILTERS.overtime(table) ? "over" : "" }, table.table, feature(table)))) : null]),
      judged(shell)));
}

/** The last calls: who waits and how long, where a judge is, and for how long those that are over have waited. Never why. */
function judged({ state, wire, now }) {
  const all = queue({ state, wire });
  const open = all.slice(0, CALLS);
  const past = (state.past_calls ?? []).filter((call) => now - call.ended_ms < OLD_MS).slice(0, Math.min(PAST, CALLS - open.length));
  if (!open.length && !past.length) return null;
  const wait = (call) => el("span", { class: "wait", "data-since": call.since_ms, "data-until": call.arrived_ms ?? call.ended_ms });
  const one = (call, kind) => el("li", { class: kind, "data-key": `${kind}${call.table}-${call.since_ms}` },
    el("span", { class: "unseen" }, `${say(`wall.call.${kind}`)}: ${say("table")} `), kind === "waiting" ? icon("call") : icon(kind === "here" ? "seated" : "done"),
    el("b", {}, call.table), feature(state.tables[call.table]), wait(call));
  return el("ol", { class: "judged", "aria-label": say("wall.calls"), "data-key": "judged" },
    open.map((call) => one(call, call.arrived_ms ? "here" : "waiting")),
    all.length > CALLS ? el("li", { class: "rest", "data-key": "rest" }, say("calls.rest", { count: all.length - CALLS })) : null, past.map((call) => one(call, "over")));
}

/** The word beside the number of a feature table. */
function feature(table) {
  return table?.feature ? el("small", {}, ` ${say("mark.feature")}`) : null;
}

function fact(count, text, kind = "") {
  return el("p", { class: `fact ${kind}` }, el("b", {}, count), " ", text);
}

function bar(part = 0) {
  const node = el("span", {});
  node.style.width = `${(100 * part).toFixed(1)}%`;
  return node;
}

/** Draw again where another number of lines fits, and tell who sets the wall up that one is too few. */
function measured(shell) {
  const page = shell.state?.round ? seats(shell) : null;
  if (!page) return;
  const fit = rowsThatFit();
  if (fit !== rows) {
    rows = fit;
    shell.draw();
    return;
  }
  const walls = wallsFor(list.lines.length);
  if (page.tooMany && !narrow.matches && told !== walls) { // a player's phone is no wall
    told = walls;
    shell.setUp(say("wall.walls", { count: walls, first: wallOf(1, walls), last: wallOf(walls, walls) }));
  }
}

const page = {
  name: "wall",
  theme: "dark",
  bare: true,
  awake: () => true,
  render,
  changed: (shell) => list.refresh(shell),
  drawn: (shell) => measured(shell),
  acts: { sound: (shell) => { tone.wake(); shell.draw(); } },
  tick(shell) {
    if (!shell.state?.round) return;
    list.refresh(shell);
    const at = moment(shell);
    if (at.state !== seen.before) {
      if (seen.before && at.state === "overtime") { tone.time(); shell.speak(say("wall.time")); }
      if (seen.before === "pregame" && at.state === "playing") tone.begin();
      seen.before = at.state;
      shell.draw();
    }
    const due = seats(shell)?.at ?? null;
    if (due !== seen.page) { seen.page = due; shell.draw(); }
    const shape = at.left === null ? null : shapeOf(minutes(at.left));
    if (shape !== seen.shape) { seen.shape = shape; shell.draw(); }
    if (Math.floor(shell.now / 5000) !== seen.zero) { seen.zero = Math.floor(shell.now / 5000); shell.draw(); }
  },
};

const shell = new Shell(page);
const list = new SeatList(() => shell.draw());
document.fonts.addEventListener("loadingdone", () => shell.draw()); // the figures are measured in the font that is there
shell.start();
