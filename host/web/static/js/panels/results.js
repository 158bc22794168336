// Results: what is still to come, and what came, each a way to the table's sheet.

import { button, el } from "../dom.js";
import { outcomeWords } from "../card.js";
import { paperLine } from "../paper.js";
import { say } from "../words.js";
import { grid, pathOfRound, pickRound, shownRound } from "./parts.js";

const opener = (table) => button("open", table, { table }, "plain number");
const BEFORE = ["draft", "published", "seated"]; // nobody plays yet
const bdi = (text) => el("bdi", { class: "name" }, text ?? "–");

export const outstanding = {
  name: "outstanding",
  path: () => "/api/outstanding",
  head: ({ state: { round } }) => (round && round.results < round.tables ? paperLine(round) : null),
  render(shell, told) {
    const { round } = shell.state;
    if (!round || round.state === "draft") return el("p", { class: "quiet" }, say("seats.none"));
    if (!told.lines.length) return el("p", { class: "quiet" }, say("none_open"));
    return grid([["table", "n"], ["players"], ["state"], ["needs"]], told.lines.map((line) => [
      opener(line.table), [bdi(nameOf(line.a)), " – ", bdi(nameOf(line.b))], say(line.phase === "idle" && line.needs?.includes("no_board") ? "state.paper" : `phase.${line.phase}`), (line.needs ?? []).map((need) => say(`need.${need}`)).join(" · ")]));
  },
};

function nameOf(player) {
  return typeof player === "string" ? player : player?.name;
}

function outcome(line, round) {
  if (line.state === "bye") return say("bye");
  if (line.state === "open") return say(BEFORE.includes(round.state) ? "state.early" : "state.open");
  const word = outcomeWords(line.outcome);
  if (line.state === "conflict") return `${word} · ${say("need.conflict")}`;
  return line.state === "incomplete" ? `${word} · ${say("mark.incomplete")}` : word;
}

const known = (value) => value !== null && value !== undefined && value !== "";
/** Two numbers of a line; one that neither text nor organiser defines is a question mark. */
function pair(line, name) {
  const both = ["a", "b"].map((seat) => line[`${name}_${seat}`]);
  return both.some(known) ? both.map((one) => (known(one) ? one : "?")).join("–") : "";
}

export const results = {
  name: "results",
  path: (chosen, shell) => pathOfRound("/api/results", shell, chosen),
  head: (shell, desk) => [el("div", { class: "row" }, pickRound(shell, desk)), paperLine(shownRound(shell, desk.chosen))],
  render(shell, told, desk) {
    const figures = told.lines.some((line) => known(line.destroyed_a)) ? ["destroyed", "margin"] : ["games"];
    const round = shownRound(shell, desk.chosen);
    const current = round === shell.state.round;
    return grid([["table", "n"], ["seat.A"], ["seat.B"], ["result"], ...figures.map((name) => [name, "n"]), ["points", "n"], ["section_head"], ["by"]], told.lines.map((line) => [
      current && line.table ? opener(line.table) : line.table ?? "", bdi(line.name_a), line.state === "bye" ? "" : bdi(line.name_b), outcome(line, round),
      ...figures.map((name) => pair(line, name)),
      pair(line, "points"),
      line.section ?? "", line.by ? say(`by.${line.by}`) : ""]));
  },
};
