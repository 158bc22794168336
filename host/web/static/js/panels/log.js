// The incident log of tables, and the desk's own log.

import { ofDay } from "../clock.js";
import { el } from "../dom.js";
import { happened } from "../happened.js";
import { known, say } from "../words.js";
import { grid, pathOfRound, pickRound } from "./parts.js";

const author = (line) => (known(`author.${line.author}`) ? say(`author.${line.author}`) : el("bdi", { class: "name" }, line.author));
const bdi = (text) => el("bdi", {}, text ?? "");

export const incidents = {
  name: "incidents",
  path: (chosen, shell) => pathOfRound("/api/incidents", shell, chosen),
  head: (shell, desk) => el("div", { class: "row" }, pickRound(shell, desk)),
  render: (shell, told) => [
    told.lines.length ? grid([["time"], ["round", "n"], ["table", "n"], ["what"], ["who"], ["why"], ["state"]], [...told.lines].reverse().map((line) => [
      ofDay(line.at_ms, shell.state.event.origin_unix_ms, true), line.round, line.table, happened(line), author(line), bdi(line.reason), say(`fate.${line.state}`)]))
      : el("p", { class: "quiet" }, say("none_happened"))],
};

export const log = {
  name: "log",
  least: "publish",
  path: () => "/api/log",
  render: (_, told) => (told.lines.length ? grid([["time"], ["who"], ["what"], ["value"]], [...told.lines].reverse().map((line) => [
    ofDay(0, line.unix_ms, true), [author(line), line.role ? el("small", { class: "quiet" }, ` ${line.role}`) : null], line.what, bdi(line.value)])) : el("p", { class: "quiet" }, say("no_history"))),
};
