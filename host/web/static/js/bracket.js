// The bracket of a cut: a column a round, joined by lines; on a phone one round below the other.

import { el, icon } from "./dom.js";
import { say } from "./words.js";

function seat(player, at, box) {
  const won = player && box.won === "AB"[at];
  if (!player) return el("p", { class: "player" }, box.bye ? say("bye") : "–");
  return el("p", { class: won ? "player won" : "player" }, el("small", {}, player.swiss ?? ""), el("bdi", { class: "name" }, player.name),
    won && !box.bye ? icon("done") : null, box.figures ? el("b", {}, box.figures[at]) : null);
}

const match = (box) => el("div", { class: "match" }, box.players.map((player, at) => seat(player, at, box)));

/** The champion, the rounds and the matches for a place; nothing before a cut. */
export function bracket(told) {
  if (!told) return null;
  return el("section", { class: "bracket", "data-key": "bracket" },
    told.champion ? el("p", { class: "champion" }, say("champion"), " ", el("bdi", {}, told.champion)) : null,
    el("div", { class: "columns", tabindex: "0", role: "region", "aria-label": say("bracket") }, told.rounds.map(({ name, boxes }) => el("section", { class: "column" }, el("h3", {}, name),
      el("ol", {}, boxes.map((box) => el("li", { class: box ? null : "none" }, box ? match(box) : null)))))),
    told.places.length ? el("section", { class: "places" }, told.places.map(({ place, box }) => [el("h3", {}, say("bracket.place", { place })), match(box)])) : null);
}
