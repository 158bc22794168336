// Seats: every player by surname with table, side and opponent; a name or a number finds the own line.

import { here } from "./base.js";
import { button, el } from "./dom.js";
import { holds, isNumber } from "./find.js";
import { ListEnd } from "./listend.js";
import { SHAPES } from "./look.js";
import { SeatList, byNumber } from "./seatlist.js";
import { Shell } from "./shell.js";
import { say } from "./words.js";

const STEP = 120; // lines drawn at once; the next ones follow before their place is scrolled into sight
const view = { typed: "", numbered: [], most: STEP, round: null, open: null, own: {}, read: -Infinity };
const AGAIN_MS = 6000; // longer than the host keeps what it told (recent_results.py)
const idOf = (one) => `${one.pairing}${one.seat}`;

function shown(lines) {
  const typed = view.typed.trim();
  if (!typed) return lines;
  if (view.numbered.length) return view.numbered;
  if (/^\d+$/.test(typed)) return lines.filter((line) => line.number && isNumber(line.number, typed));
  return lines.filter((line) => holds([line.given, line.surname, line.plain], typed));
}

function line(one, shell) {
  const place = one.table === null ? el("span", { class: "bye" }, say("bye"))
    : [el("b", {}, one.table), el("span", { class: "shape", role: "img", "aria-label": say(`seat.${one.seat}`) }, SHAPES[one.seat])];
  const open = view.open === idOf(one);
  return el("li", { class: open ? "open" : null, "data-key": `${idOf(one)}|${one.surname}|${one.given}|${one.team ?? ""}` },
    el("button", { type: "button", class: "seat", "data-act": "own", "data-id": idOf(one), "aria-expanded": String(open) },
      el("span", { class: "place" }, el("span", { class: "unseen" }, one.table === null ? "" : `${say("table")} `), place),
      el("span", { class: "who" }, el("bdi", { class: "name" }, el("b", {}, one.surname), one.given ? `, ${one.given}` : ""), one.number ? el("small", {}, ` ${one.number}`) : null,
        one.team ? el("bdi", { class: "team" }, one.team) : null,
        one.opponent ? el("span", { class: "against" }, say("seats.against"), " ", el("bdi", {}, one.opponent)) : null)),
    open ? ownRounds(view.own[view.open], shell, one) : null);
}

/** How a round ended for its player, with the figures, the own ones first. */
function ending({ how, figures, round }, { state }, { table, seat }) {
  const live = how === "open" && round === state.round?.number ? state.tables[table] : null;
  const score = figures ?? (live?.best_of > 1 && live.games.some(Boolean) ? (seat === "B" ? [...live.games].reverse() : live.games) : null);
  return score ? `${say(`met.${how}`)} ${score.join("–")}` : say(`met.${how}`);
}

/** What a player came to in this event: matches won, lost and tied, points, and every round. */
function ownRounds(told, shell, one) {
  if (!told) return el("p", { class: "own quiet" }, say("connecting"));
  return el("div", { class: "own" },
    el("p", {}, el("b", {}, told.tally.join("–")), ` ${say("tally")}`, told.points === null ? null : [" · ", el("b", {}, told.points), ` ${say("points")}`]),
    el("ol", {}, [...told.rounds].reverse().map((round) => el("li", { class: round.how },
      el("span", {}, say("round_number", { number: round.round }), round.table === null ? null : ` · ${say("table")} ${round.table}`),
      el("b", {}, ending(round, shell, one)), round.opponent ? el("bdi", {}, round.opponent) : null))));
}

/** Open whoever a search has found alone, and close what another round or search leaves. */
function settle() {
  const lines = view.typed.trim() ? shown(list.lines) : [];
  Object.assign(view, { round: list.round, open: lines.length === 1 ? idOf(lines[0]) : null, own: {}, read: -Infinity });
}

/** Fetch the rounds of whoever is open, and again for what has ended since. */
async function readOwn(shell) {
  const [{ wire }, { open }] = [shell, view];
  if (open === null || performance.now() - view.read < AGAIN_MS || document.hidden || !wire.connected) return;
  view.read = performance.now();
  const [, pairing, seat] = /^(\d+)(.*)$/.exec(open);
  const told = await wire.read(`/api/player?${new URLSearchParams({ pairing, seat })}`);
  if (told.error === undefined && open === view.open) view.own = { [open]: told };
  shell.draw();
}

/** The lines in lists of their own: one that is in sight keeps its columns when the next follows. */
function blocks(lines, shell) {
  const starts = Array.from({ length: Math.ceil(lines.length / STEP) }, (_, at) => at * STEP);
  return starts.map((at) => el("ol", { class: "seats", "data-key": `seats${at}` }, lines.slice(at, at + STEP).map((one) => line(one, shell))));
}

function render(shell) {
  const { round } = shell.state;
  if (list.round === null) return el("p", { class: "quiet" }, say("seats.none"));
  const lines = shown(list.lines);
  const heading = round && round.number === list.round ? say("round_state", { number: round.number, state: say(`round.${round.state}`) }) : say("round_number", { number: list.round });
  return [
    el("div", { class: "finding", "data-key": "finding" }, el("h1", {}, heading), el("a", { class: "button plain", href: here("/check") }, say("page.check")),
      el("label", { class: "search" }, el("span", {}, say("seats.search")), el("input", { type: "search", "data-on": "search", autocomplete: "off", enterkeyhint: "search", spellcheck: "false" }))),
    lines.length ? null : el("p", { class: "ask", role: "status" }, say("seats.unknown")),
    blocks(lines.slice(0, view.most), shell),
    lines.length > view.most ? button("more", say("tables.rest", { count: lines.length - view.most }), {}, "rest") : null];
}

const page = {
  name: "seats",
  render,
  acts: {
    async search(shell, _, node) {
      Object.assign(view, { typed: node.value, most: STEP });
      const typed = view.typed.trim();
      const found = /\d/.test(typed) ? await byNumber(shell.wire, typed) : []; // a number may have letters, too
      if (typed === view.typed.trim()) view.numbered = found;
      settle();
      shell.draw();
    },
    own(shell, { id }) {
      Object.assign(view, { open: view.open === id ? null : id, read: -Infinity });
      readOwn(shell);
      shell.draw();
    },
    more: (shell) => { view.most += STEP; shell.draw(); },
  },
  drawn: () => end.watch(document.querySelector(".page-seats > .rest")),
  changed: (shell) => list.refresh(shell),
  tick(shell) {
    if (!shell.state) return;
    list.refresh(shell);
    readOwn(shell);
  },
};

const shell = new Shell(page);
const end = new ListEnd(() => page.acts.more(shell));
const list = new SeatList(() => {
  if (list.round !== view.round) settle();
  shell.draw();
});
shell.start();
