// Seats: every player by surname with table, side and opponent; a name or a number finds the own line.

import { button, el } from "./dom.js";
import { holds, isNumber } from "./find.js";
import { ListEnd } from "./listend.js";
import { SHAPES } from "./look.js";
import { SeatList, byNumber } from "./seatlist.js";
import { Shell } from "./shell.js";
import { say } from "./words.js";

const STEP = 120; // lines drawn at once; the next ones follow before their place is scrolled into sight
const view = { typed: "", numbered: [], most: STEP };

function shown(lines) {
  const typed = view.typed.trim();
  if (!typed) return lines;
  if (/^\d+$/.test(typed)) return view.numbered.length ? view.numbered : lines.filter((line) => line.number && isNumber(line.number, typed));
  return lines.filter((line) => holds([line.given, line.surname, line.plain], typed));
}

function line(one) {
  const place = one.table === null ? el("span", { class: "bye" }, say("bye"))
    : [el("b", {}, one.table), el("span", { class: "shape", role: "img", "aria-label": say(`seat.${one.seat}`) }, SHAPES[one.seat])];
  return el("li", { "data-key": `${one.surname}|${one.given}|${one.table}|${one.seat}|${one.team ?? ""}` },
    el("span", { class: "place" }, el("span", { class: "unseen" }, one.table === null ? "" : `${say("table")} `), place),
    el("span", { class: "who" }, el("bdi", { class: "name" }, el("b", {}, one.surname), one.given ? `, ${one.given}` : ""), one.number ? el("small", {}, ` ${one.number}`) : null,
      one.team ? el("bdi", { class: "team" }, one.team) : null,
      one.opponent ? el("span", { class: "against" }, say("seats.against"), " ", el("bdi", {}, one.opponent)) : null));
}

/** The lines in lists of their own: one that is in sight keeps its columns when the next follows. */
function blocks(lines) {
  const starts = Array.from({ length: Math.ceil(lines.length / STEP) }, (_, at) => at * STEP);
  return starts.map((at) => el("ol", { class: "seats", "data-key": `seats${at}` }, lines.slice(at, at + STEP).map(line)));
}

function render(shell) {
  const { round } = shell.state;
  if (list.round === null) return el("p", { class: "quiet" }, say("seats.none"));
  const lines = shown(list.lines);
  const heading = round && round.number === list.round ? say("round_state", { number: round.number, state: say(`round.${round.state}`) }) : say("round_number", { number: list.round });
  return [
    el("div", { class: "finding", "data-key": "finding" }, el("h1", {}, heading), el("a", { class: "button plain", href: "/check" }, say("page.check")),
      el("label", { class: "search" }, el("span", {}, say("seats.search")), el("input", { type: "search", "data-on": "search", autocomplete: "off", enterkeyhint: "search", spellcheck: "false" }))),
    lines.length ? null : el("p", { class: "ask", role: "status" }, say("seats.unknown")),
    blocks(lines.slice(0, view.most)),
    lines.length > view.most ? button("more", say("tables.rest", { count: lines.length - view.most }), {}, "rest") : null];
}

const page = {
  name: "seats",
  render,
  acts: {
    async search(shell, _, node) {
      Object.assign(view, { typed: node.value, most: STEP });
      const typed = view.typed.trim();
      if (/^\d+$/.test(typed)) {
        const found = await byNumber(shell.wire, typed);
        if (typed === view.typed.trim()) view.numbered = found;
      }
      shell.draw();
    },
    more: (shell) => { view.most += STEP; shell.draw(); },
  },
  drawn: () => end.watch(document.querySelector(".page-seats > .rest")),
  changed: (shell) => list.refresh(shell),
  tick: (shell) => { if (shell.state) list.refresh(shell); },
};

const shell = new Shell(page);
const end = new ListEnd(() => page.acts.more(shell));
const list = new SeatList(() => shell.draw());
shell.start();
