// The bracket of a cut as a picture: a column a round, joined by lines. On a phone it is moved sideways, its letters stay as large.

import { el, svg } from "./dom.js";
import { say } from "./words.js";

const SEAT = 28; // px of a page with letters of 16, as all here: the height of a player's half of a match
const BOX = 2 * SEAT;
const APART = 14; // between matches of the first round
const WIDE = 200;
const NARROW = 168; // on a phone: both rounds of a Top 4 are in sight
const LINK = 20; // from a round to the next
const HEAD = 26; // a round's name
const SEED = 30; // a player's rank before the cut
const FIGURE = 26;
const TICK = 20;
const PAD = 8;
const LETTERS = 15;
const MARK = "M9 19l-7-7 3-3 4 4 10-10 3 3z"; // as in dom.js: who won is not told by weight alone
const narrow = matchMedia("(max-width: 640px)");
const brush = document.createElement("canvas").getContext("2d");

/** A name cut to a width, as it is set in bold: first its first word to one letter, then its end. */
function cut(name, wide) {
  brush.font = `700 ${LETTERS}px ${getComputedStyle(document.body).fontFamily}`;
  const fits = (text) => brush.measureText(text).width <= wide;
  if (fits(name)) return name;
  const letters = [...name.replace(/^(\S)\S*\s/u, "$1. ")];
  if (fits(letters.join(""))) return letters.join("");
  while (letters.length && !fits(`${letters.join("")}…`)) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}

/** A player's half of a match whose left upper corner is 0 0. */
function seat(player, at, box, wide) {
  const won = player && box.won === "AB"[at];
  const line = at * SEAT + SEAT / 2;
  if (!player) return svg("text", { class: "nobody", x: SEED, y: line }, box.bye ? say("bye") : "–");
  const figure = box.figures ? FIGURE : 0;
  const tick = won && !box.bye ? TICK : 0;
  return svg("g", { class: won ? "player won" : "player" },
    won ? svg("rect", { class: "ground", x: 1, y: at * SEAT + 1, width: wide - 2, height: SEAT - 2, rx: 6 }) : null,
    svg("text", { class: "seed", x: SEED - PAD, y: line, "text-anchor": "end" }, player.swiss ?? ""),
    svg("text", { class: "name", x: SEED, y: line }, svg("title", {}, player.name), cut(player.name, wide - SEED - figure - tick - PAD)),
    tick ? svg("path", { class: "tick", d: MARK, transform: `translate(${wide - PAD - figure - 14} ${line - 6.5}) scale(0.54)` }) : null,
    figure ? svg("text", { class: "figure", x: wide - PAD, y: line, "text-anchor": "end" }, box.figures[at]) : null);
}

function match(box, wide) {
  return [svg("rect", { class: "box", x: 0.5, y: 0.5, width: wide - 1, height: BOX - 1, rx: 8 }), svg("path", { class: "half", d: `M0 ${SEAT}H${wide}` }),
    box.players.map((player, at) => seat(player, at, box, wide))];
}

/** A drawing that grows with the page's letters. */
const drawing = (wide, high, label, parts) => svg("svg", { width: `${wide / 16}rem`, height: `${high / 16}rem`, viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": label }, parts);

/** A match in words, for who listens. */
function words({ players, figures, bye }) {
  const names = players.map((player) => player?.name ?? (bye ? say("bye") : "–"));
  return `${names.join(" – ")}${figures ? ` ${figures.join("–")}` : ""}`;
}

function picture(rounds) {
  const wide = narrow.matches ? NARROW : WIDE;
  const high = Math.max(...rounds.map(({ boxes }) => boxes.length)) * (BOX + APART);
  const left = (round) => round * (wide + LINK);
  const middle = (round, at) => HEAD + (high * (at + 0.5)) / rounds[round].boxes.length;
  const link = (round, at) => {
    const next = Math.floor(at / 2);
    if (!rounds[round + 1]?.boxes[next]) return null;
    return svg("path", { class: "link", d: `M${left(round) + wide} ${middle(round, at)}h${LINK / 2}V${middle(round + 1, next)}h${LINK / 2}` });
  };
  const told = rounds.map(({ name, boxes }) => `${name}: ${boxes.filter(Boolean).map(words).join("; ")}`);
  return drawing(left(rounds.length) - LINK, HEAD + high, `${say("bracket")}. ${told.join(". ")}`,
    rounds.map(({ name, boxes }, round) => svg("g", { class: "column" },
      svg("text", { class: "head", x: left(round), y: HEAD / 2 }, name),
      boxes.map((box, at) => (box ? [link(round, at), svg("g", { class: "match", transform: `translate(${left(round)} ${middle(round, at) - SEAT})` }, match(box, wide))] : null)))));
}

/** The champion, the picture and the matches for a place; nothing before a cut. */
export function bracket(told) {
  if (!told) return null;
  return el("section", { class: "bracket", "data-key": "bracket" },
    told.champion ? el("p", { class: "champion" }, say("champion"), " ", el("bdi", {}, told.champion)) : null,
    el("div", { class: "drawn", tabindex: "0", role: "region", "aria-label": say("bracket") }, picture(told.rounds)),
    told.places.length ? el("section", { class: "places" }, told.places.map(({ place, box }) => [el("h3", {}, say("bracket.place", { place })), drawing(WIDE, BOX, words(box), svg("g", { class: "match" }, match(box, WIDE)))])) : null);
}
