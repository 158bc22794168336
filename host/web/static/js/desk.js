// The desk: one panel at a time beside a list of them; what a panel needs beside the state is read when it is shown.

import { actForms } from "./actforms.js";
import { CALL_ACTS } from "./calls.js";
import { el } from "./dom.js";
import { ListEnd } from "./listend.js";
import { begin, door } from "./panels/begin.js";
import { boards, packing } from "./panels/boards.js";
import { checks } from "./panels/checks.js";
import { files } from "./panels/files.js";
import { links } from "./panels/links.js";
import { incidents, log } from "./panels/log.js";
import { luck } from "./panels/luck.js";
import { STEP } from "./panels/parts.js";
import { penalties } from "./panels/penalties.js";
import { people } from "./panels/people.js";
import { outstanding, results } from "./panels/results.js";
import { room } from "./panels/room.js";
import { rounds } from "./panels/rounds.js";
import { standings } from "./panels/standings.js";
import { SHEET_ACTS, SHEET_FORMS, sheet, sheetDrawn } from "./sheet.js";
import { Shell } from "./shell.js";
import { say } from "./words.js";

const PANELS = [rounds, files, outstanding, results, standings, people, door, room, checks, penalties, luck, incidents, packing, boards, links, log];
const BEFORE = [begin, files, people, door, room, boards, links, log]; // before there is a round
const FIRST = [begin, boards, links]; // before there is an event
const ALL = [begin, ...PANELS];
const AGAIN_MS = 1500;

const NEWS = ["*", "event", "round", "rounds", "orders", "door"];

// `read`: by panel what it asked for last and got, `asking`: the address that is being read
const desk = { read: {}, asking: null, chosen: {}, most: STEP, due: null, seen: null };

/** The panels that make sense now, in their order. */
function panels() {
  const { state } = shell;
  if (state && !state.event) return FIRST;
  return state && !Object.keys(state.rounds).length ? BEFORE : PANELS;
}

function current() {
  return panels().find((panel) => `#${panel.name}` === location.hash) ?? panels()[0];
}

/** What a panel asks the host for, null while it asks nothing; `desk.chosen` holds the round, the pack and the like that a person chose. */
const pathOf = (panel) => panel.path?.(desk.chosen, shell) ?? null;

/** What a panel shows: the host's answer to what it asks now. An answer about the round before is none. */
function toldOf(panel) {
  const { path, told } = desk.read[panel.name] ?? {};
  return path === pathOf(panel) ? told : undefined;
}

/** Read what a panel shows. */
async function load(shell, panel = current()) {
  const path = pathOf(panel);
  if (path === null || (panel.least && !shell.may(panel.least))) return;
  desk.asking = path;
  const told = await shell.wire.read(path);
  if (desk.asking === path) desk.asking = null;
  if (path !== pathOf(panel)) return; // another round is asked for by now
  desk.read[panel.name] = { path, told };
  shell.draw();
}

function soon(shell) {
  if (desk.due !== null) return;
  desk.due = setTimeout(() => { desk.due = null; load(shell); }, AGAIN_MS);
}

function mentions(shell, panel) {
  const { state } = shell;
  const counts = {
    outstanding: () => (state.round && state.round.state !== "draft" ? state.round.tables - state.round.results : 0),
    door: () => state.door ?? 0,
    boards: () => Object.values(state.boards ?? {}).filter((board) => board.silent).length + (state.alarms ?? []).length,
  };
  return counts[panel.name]?.() ?? 0;
}

function list(shell) {
  return el("nav", { class: "panels", "aria-label": say("panels"), "data-key": "panels" }, panels().filter((panel) => !panel.least || shell.may(panel.least)).map((panel) => {
    const count = mentions(shell, panel);
    return el("a", { href: `#${panel.name}`, "aria-current": panel === current() ? "page" : null },
      say(`panel.${panel.name}`), count ? el("span", { class: "count some" }, count) : null);
  }));
}

/** Bring the name of a panel that was just chosen into sight: on a phone the list is a strip. */
function inSight() {
  const chosen = document.querySelector(".panels [aria-current]");
  if (!chosen || desk.seen === chosen.hash) return;
  desk.seen = chosen.hash;
  chosen.parentElement.scrollLeft = chosen.offsetLeft - (chosen.parentElement.clientWidth - chosen.clientWidth) / 2;
}

function render(shell) {
  const panel = current();
  if (panel === begin && !shell.may(begin.least)) return el("p", { class: "panel quiet" }, say(shell.state.event ? "no_round" : "no_event"));
  const told = toldOf(panel);
  const needed = panel.path && !panel.optional;
  const body = needed && told?.error !== undefined ? el("p", { class: "bad" }, told.error ?? say("not_reached")) : needed && !told ? el("p", { class: "quiet" }, say("connecting")) : panel.render(shell, told, desk);
  return [list(shell), el("section", { class: `panel panel-${panel.name}`, "aria-labelledby": "panel-title", "data-key": `panel-${panel.name}` },
    el("h1", { id: "panel-title" }, say(`panel.${panel.name}`)), allowed(shell, panel, [panel.head?.(shell, desk), body, actForms(shell, panel.name)]))];
}

/** A panel's nodes without what this role may not do. */
function allowed(shell, panel, body) {
  const nodes = el("div", { class: "parts" }, body);
  for (const form of nodes.querySelectorAll("[data-form]")) if (panel.forms?.[form.dataset.form] && !shell.may(form.dataset.form)) form.remove();
  for (const one of nodes.querySelectorAll("[data-act]")) if (panel.acts?.[one.dataset.act] && !shell.may(one.dataset.act)) one.remove();
  return nodes;
}

/** An act from a button of a panel: its name and numbers stand in the button's data. */
function acted(shell, name, body) {
  return shell.act(name, body).then((told) => { if (told) load(shell); return told; });
}

const page = {
  name: "desk",
  render,
  over: sheet,
  drawn: (shell) => { sheetDrawn(shell); inSight(); current().drawn?.(shell); end.watch(document.querySelector(".panel .rest")); },
  acts: {
    ...CALL_ACTS,
    ...SHEET_ACTS,
    more: (shell) => { desk.most += STEP; shell.draw(); },
    choose: (shell, { what }, node) => { desk.chosen[what] = node.value; load(shell); shell.draw(); },
    ...Object.assign({}, ...ALL.flatMap((panel) => [wrapped(panel.taps), wrapped(panel.acts)])),
  },
  forms: { ...SHEET_FORMS, ...Object.assign({}, ...ALL.map((panel) => wrapped(panel.forms))) },
  changed: (shell, sections) => {
    const panel = current();
    if (toldOf(panel) === undefined) { if (desk.asking !== pathOf(panel)) load(shell); }
    else if (sections.some((one) => NEWS.includes(one))) soon(shell);
  },
};

function wrapped(handlers = {}) {
  return Object.fromEntries(Object.entries(handlers).map(([name, handle]) =>
    [name, (shell, given, node) => handle({ shell, act: (act, body) => acted(shell, act, body), desk, load: () => load(shell) }, given, node)]));
}

const shell = new Shell(page);
const end = new ListEnd(() => document.querySelector(".panel .rest").click());
addEventListener("hashchange", () => { desk.chosen.draft = null; desk.most = STEP; load(shell); shell.draw(); document.querySelector("#main")?.focus(); });
addEventListener("resize", () => { desk.seen = null; inSight(); });
await shell.start();
load(shell);
