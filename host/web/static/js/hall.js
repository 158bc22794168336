// The hall: every table at its place, coloured and marked, and when the round will be over and because of whom.

import { BASE } from "./base.js";
import { narrow } from "./calls.js";
import { ofDay } from "./clock.js";
import { el, icon, named } from "./dom.js";
import { onPaper, stateOf } from "./look.js";
import { mapCard } from "./mapcard.js";
import { SHEET_ACTS, SHEET_FORMS, sheet, sheetDrawn } from "./sheet.js";
import { Shell } from "./shell.js";
import { say } from "./words.js";

const KEPT = `plusthree.hall${BASE}`;
const own = JSON.parse(localStorage.getItem(KEPT) ?? "{}"); // what somebody at this page chose instead of the organiser
const NAMED = 12; // tables that hold the round up, with their players; of more the numbers alone
const PAPER = "paper"; // of the tables that have no board: their state is told by no report
const STATES = ["idle", PAPER, "seated", "pregame", "playing", "warning", "frozen", "time", "overtime", "deciding", "done"];

function kept(shell, change) {
  Object.assign(own, change);
  localStorage.setItem(KEPT, JSON.stringify(own));
  shell.draw();
}

function view(shell) {
  return { wide: 0, turning: false, rows: [], ...shell.state.hall, ...own };
}

/** Tables in rows as they stand: every other row runs back where the hall is walked so. */
function places(tables, wide, turning) {
  const rows = [];
  for (let at = 0; at < tables.length; at += wide) rows.push(tables.slice(at, at + wide));
  return turning ? rows.flatMap((row, at) => (at % 2 ? [...row.toReversed()] : row)) : rows.flat();
}

function map(shell) {
  const { wide: asked, turning, rows } = view(shell);
  const tables = Object.values(shell.state.tables).sort((a, b) => a.table - b.table);
  if (rows.length) return planned(shell, tables, rows);
  const wide = asked || Math.min(20, Math.max(4, Math.ceil(Math.sqrt(tables.length * 1.8))));
  return grid("map", wide, places(tables, wide, turning).map((table) => mapCard(table, shell.state.round, shell.now)));
}

function grid(kind, wide, cells) {
  const root = el("div", { class: kind, "data-key": kind }, cells);
  root.style.setProperty("--wide", wide);
  return root;
}

/** The map as the organiser laid it; tables that stand nowhere on it come below. */
function planned(shell, tables, rows) {
  const wide = Math.max(...rows.map((row) => row.length));
  const known = new Map(tables.map((table) => [table.table, table]));
  const place = (number, key) => {
    if (known.has(number)) return mapCard(known.get(number), shell.state.round, shell.now, "plan");
    return el("span", { class: number ? "place" : "aisle", "data-key": key, "aria-hidden": number ? null : "true" }, number || null);
  };
  const cells = rows.flatMap((row, down) => Array.from({ length: wide }, (_, along) => place(row[along] ?? 0, `p${down}-${along}`)));
  const stand = new Set(rows.flat());
  const room = grid("map", wide, cells);
  const narrow = (along) => rows.every((row) => !row[along]); // an aisle takes less room than a table
  room.style.gridTemplateColumns = Array.from({ length: wide }, (_, along) => (narrow(along) ? "minmax(0.8rem, 0.4fr)" : "minmax(2.9rem, 1fr)")).join(" ");
  const rest = tables.filter((table) => !stand.has(table.table));
  return [
    el("div", { class: "scrolled planned", tabindex: "0", role: "region", "aria-label": say("plan.title"), "data-key": "plan" }, room),
    rest.length ? el("section", { "data-key": "rest", class: "rest" }, el("h2", {}, say("plan.rest")), grid("map others", 12, rest.map((table) => mapCard(table, shell.state.round, shell.now, "rest")))) : null];
}

function forecast(shell) {
  const { forecast: told, expected, event, tables } = shell.state;
  if (!told) return el("p", { class: "quiet" }, say("no_forecast"));
  if (shell.state.round.untimed) return el("p", { class: "quiet" }, say("untimed_forecast"));
  if (told.end_ms === null && !(told.holding ?? []).length) return el("p", { class: "quiet" }, say(shell.state.round.state === "closed" ? "wall.closed" : "forecast.early"));
  const holding = (told.holding ?? []).map((number) => tables[number]).filter(Boolean);
  const few = holding.length <= NAMED;
  return el("section", { class: "forecast", "aria-label": say("forecast"), "data-key": "forecast" },
    el("p", { class: "end" }, el("span", {}, say("forecast.end")), " ", el("b", {}, told.end_ms === null ? "–" : ofDay(told.end_ms, event.origin_unix_ms))),
    holding.length ? [el("h2", {}, say("forecast.holding")), el("ol", { class: few ? "" : "many" }, holding.map((table) => el("li", { class: `s-${stateOf(table, shell.now)}` },
      el("span", { class: "fill" }, icon(stateOf(table, shell.now))), el("b", {}, table.table), " ",
      few ? el("span", { class: "names" }, named(table.a), " – ", named(table.b)) : null,
      el("span", { class: few ? "why" : "unseen" }, say(`why.${expected[table.table]?.why ?? "playing"}`)),
      few && expected[table.table]?.end_ms ? el("span", { class: "clock" }, ofDay(expected[table.table].end_ms, event.origin_unix_ms)) : null)))] : null);
}

function legend(shell) {
  const counts = {};
  for (const table of Object.values(shell.state.tables)) {
    const state = onPaper(table, shell.now) ? PAPER : stateOf(table, shell.now);
    counts[state] = (counts[state] ?? 0) + 1;
  }
  const called = Object.keys(shell.state.calls ?? {}).length;
  const shown = STATES.filter((state) => counts[state]).map((state) => [state, counts[state]]);
  return el("ul", { class: "legend", "aria-label": say("legend"), "data-key": "legend" },
    (called ? [["call", called], ...shown] : shown).map(([state, count]) => el("li", { class: `s-${state === PAPER ? "idle" : state}` },
      el("span", { class: "fill" }, icon(state)), say(`state.${state}`), " ", el("b", {}, count))));
}

function settings(shell) {
  const { wide, turning, rows } = view(shell);
  return rows.length ? null : el("form", { class: "settings", "data-key": "settings" },
    el("label", { class: "few" }, el("span", {}, say("hall.wide")),
      el("input", { type: "number", min: 0, max: 40, value: wide, "data-on": "wide", "aria-describedby": "wide-help" })),
    el("span", { id: "wide-help", class: "quiet" }, say("hall.wide_help")),
    el("label", { class: "choice" }, el("input", { type: "checkbox", "data-on": "turning", checked: turning }), el("span", {}, say("hall.turning"))));
}

const page = {
  name: "hall",
  render: (shell) => (shell.state.round ? [el("div", { class: "above", "data-key": "above" }, forecast(shell), legend(shell)), map(shell), settings(shell)]
    : el("p", { class: "quiet" }, say("no_round"))),
  over: (shell) => (shell.staff ? sheet(shell) : null),
  drawn: sheetDrawn,
  awake: () => !narrow.matches,
  acts: {
    ...SHEET_ACTS,
    wide: (shell, _, node) => kept(shell, { wide: Math.max(0, Math.min(40, Number(node.value) || 0)) }),
    turning: (shell, _, node) => kept(shell, { turning: node.checked }),
  },
  forms: SHEET_FORMS,
};

new Shell(page).start();
