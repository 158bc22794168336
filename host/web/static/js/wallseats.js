// The seats on a wall: a page at a time, everybody within a minute; where that cannot be, several walls share the alphabet.

import { here } from "./base.js";
import { el } from "./dom.js";
import { plain } from "./find.js";

const ROUND_MS = 60000; // for all pages
const LONGEST_MS = 8000; // for one of them
const SHORTEST_MS = 5000; // nobody finds a name faster
const PAGES = ROUND_MS / SHORTEST_MS;
const LINES = 20; // of a page on a projector, at the least
const LETTERS = 3; // of a surname, where a page or a wall says what it has
const LONG = 24; // letters of a name that are set smaller, so that all of it is there
const NARROW = 900; // px: one column
const PART = /^(\d{1,2})of(\d{1,2})$/;
const NAME = /^\p{L}[\p{L} '’-]{0,19}$/u;

/** How many walls show so many players within a minute. */
export const wallsFor = (players) => Math.max(1, Math.ceil(players / (PAGES * LINES)));

/** The address of one of several walls. */
export const wallOf = (number, walls) => here(walls === 1 ? "/wall" : `/wall?part=${number}of${walls}`);

/** Which of the lines an address asks for, as `(lines) => lines`; null where it cannot be understood. */
export function partAsked(search) {
  const query = new URLSearchParams(search);
  const [part, from, to] = ["part", "from", "to"].map((name) => query.get(name)?.trim() ?? null);
  if (part === null && from === null && to === null) return (lines) => lines;
  if (part !== null) return from === null && to === null ? share(PART.exec(part)) : null;
  if (![from, to].every((one) => one === null || NAME.test(one))) return null;
  const [first, last] = [plain(from ?? ""), plain(to ?? "")];
  if (last && last < first.slice(0, last.length)) return null;
  return (lines) => lines.filter(({ surname }) => plain(surname) >= first && (!last || plain(surname).slice(0, last.length) <= last));
}

function share(found) {
  const [number, of] = (found ?? []).slice(1).map(Number);
  if (!number || number > of) return null;
  return (lines) => lines.slice(Math.floor(lines.length * (number - 1) / of), Math.floor(lines.length * number / of));
}

/** From whose surname to whose, in a few letters. */
function range(lines) {
  const [first, last] = [lines[0], lines.at(-1)].map(({ surname }) => [...surname].slice(0, LETTERS).join(""));
  return first === last ? first : `${first}–${last}`;
}

/** As many lines of a twentieth of the height each as the stage had room for when it was drawn last (css/wall.css). */
export function rowsThatFit() {
  const stage = document.querySelector(".wall .stage");
  const line = innerWidth <= 640 ? 29.5 : Math.max(innerHeight * 0.05, 17.6) * 1.24;
  return stage ? Math.max(4, Math.floor((stage.clientHeight + 1) / line)) : 12;
}

/** The page of the lines that is due at a moment: its columns, and what it says of itself. */
export function pageOf(lines, rows, nowMs) {
  const columns = innerWidth < NARROW ? 1 : 2;
  const most = rows * columns;
  const pages = Math.ceil(lines.length / most);
  const each = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, ROUND_MS / pages));
  const at = Math.floor(nowMs / each) % pages;
  const shown = lines.slice(at * most, (at + 1) * most);
  const half = Math.ceil(shown.length / columns);
  return { at, parts: columns === 1 ? [shown] : [shown.slice(0, half), shown.slice(half)], tooMany: pages > PAGES, label: pages > 1 ? `${range(shown)} · ${at + 1}/${pages}` : "" };
}

/** A page's lines: the table, and whose it is. */
export function seatsStage({ parts }) {
  return el("div", { class: "stage", "data-key": "seats" }, el("div", { class: "big seats" },
    parts.map((part) => el("ol", {}, part.map((one) => el("li", { class: one.surname.length + (one.given ?? "").length > LONG ? "long" : null },
      el("b", {}, one.table ?? "–"), el("bdi", {}, one.surname, one.given ? `, ${one.given}` : "")))))));
}
