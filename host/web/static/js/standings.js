// Standings for players: those that the organiser has published, with the bracket after a cut.

import { bracket } from "./bracket.js";
import { button, el } from "./dom.js";
import { holds } from "./find.js";
import { ListEnd } from "./listend.js";
import { Shell } from "./shell.js";
import { known, say } from "./words.js";

const AGAIN_MS = 30000; // a corrected result is here after that
const STEP = 120; // lines drawn at once
const FEW = 20; // lines among which nobody needs to search
const view = { told: null, round: undefined, read: 0, typed: "", most: STEP };

const column = (name) => (known(`column.${name}`) ? say(`column.${name}`) : name);

/** A line's values but the points: in columns, on a phone below the name. */
function ties(told, line) {
  const cut = told.bracket ? [[say("column.swiss"), line.swiss ?? ""]] : [];
  return [...cut, ...told.columns.map((name, at) => [name, line.values[at]]).filter(([name]) => name !== "points").map(([name, value]) => [column(name), value])];
}

function row(told, line) {
  const points = told.columns.indexOf("points");
  return el("tr", { "data-key": `${line.place}|${line.name}` },
    el("td", { class: "n place" }, line.place),
    el("td", { class: "who" }, el("bdi", { class: "name" }, line.name), line.dropped ? el("span", { class: "mark" }, say("people.dropped")) : null,
      line.team ? el("small", {}, el("bdi", {}, line.team.members.join(", ")), line.team.home ? [" · ", el("bdi", {}, line.team.home)] : null) : null,
      el("small", { class: "below" }, ties(told, line).filter(([, value]) => value !== "").map(([name, value]) => `${name} ${String(value).replace(" ", "\u00a0")}`).join(" · "))),
    el("td", { class: "n" }, line.tally.join("–")),
    points < 0 ? null : el("td", { class: "n points" }, line.values[points]),
    ties(told, line).map(([, value]) => el("td", { class: "n beside" }, value)));
}

function ranks(told, lines, key) {
  const heads = ties(told, { values: [] }).map(([name]) => el("th", { scope: "col", class: "n beside" }, name));
  return el("table", { class: "ranks", "data-key": key },
    el("thead", {}, el("tr", {}, el("th", { scope: "col", class: "n" }, say("rank")), el("th", { scope: "col" }, say("player")), el("th", { scope: "col", class: "n" }, say("tally")),
      told.columns.includes("points") ? el("th", { scope: "col", class: "n" }, say("points")) : null, heads)),
    el("tbody", {}, lines.map((line) => row(told, line))));
}

function found(lines) {
  return view.typed.trim() ? lines.filter(({ name, team }) => holds([name, ...(team?.members ?? [])], view.typed)) : lines;
}

function tables(told) {
  if (told.pods.length) {
    return [told.top.length ? ranks(told, told.top, "top") : null,
      told.pods.map((lines, at) => el("section", { "data-key": `pod${at}` }, el("h2", {}, say("pod", { number: at + 1 })), ranks(told, lines, "ranks")))];
  }
  const lines = found(told.lines);
  return [told.lines.length > FEW ? el("label", { class: "search", "data-key": "search" }, el("span", {}, say("standings.search")), el("input", { type: "search", "data-on": "search", autocomplete: "off", enterkeyhint: "search", spellcheck: "false" })) : null,
    lines.length ? ranks(told, lines.slice(0, view.most), "ranks") : el("p", { class: "ask", role: "status" }, say("standings.unknown")),
    lines.length > view.most ? button("more", say("tables.rest", { count: lines.length - view.most }), {}, "rest") : null];
}

function render() {
  const { told } = view;
  if (!told) return el("p", { class: "quiet" }, say("connecting"));
  if (told.round === null) return el("p", { class: "none" }, say("standings.none"));
  return [
    el("h1", {}, say("standings.after", { number: told.round })),
    told.open.length ? el("p", { class: "ask" }, say("still_open", { count: told.open.length, tables: told.open.join(", ") })) : null,
    bracket(told.bracket),
    told.notes.map((line) => el("p", { class: "quiet sentence" }, line)),
    tables(told),
    told.shared.length ? el("p", { class: "quiet" }, say("shared")) : null,
    el("p", { class: "quiet" }, say("pack.by"), " ", el("bdi", {}, told.source))];
}

/** Fetch what was published, at once when that changes, and now and then for what was corrected. */
async function refresh(shell) {
  const { state, wire } = shell;
  const same = state.standings === view.round && performance.now() - view.read < AGAIN_MS;
  if (same || document.hidden || !wire.connected) return;
  Object.assign(view, { round: state.standings, read: performance.now() });
  const told = await wire.read("/api/published");
  if (told.error === undefined) view.told = told;
  else view.round = undefined;
  shell.draw();
}

const page = {
  name: "standings",
  render,
  acts: {
    search(shell, _, node) { Object.assign(view, { typed: node.value, most: STEP }); shell.draw(); },
    more: (shell) => { view.most += STEP; shell.draw(); },
  },
  drawn: () => end.watch(document.querySelector(".page-standings > .rest")),
  changed: (shell) => refresh(shell),
  tick: (shell) => { if (shell.state) refresh(shell); },
};

const shell = new Shell(page);
const end = new ListEnd(() => page.acts.more(shell));
document.fonts.addEventListener("loadingdone", () => shell.draw()); // names in the bracket are measured in the font that is there
shell.start();
