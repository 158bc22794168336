// The judge's page, phone first: who waits, then every table by need.

import { CALL_ACTS, callList, isFor, isMine, narrow, pastCalls, queue } from "./calls.js";
import { card } from "./card.js";
import { button, el } from "./dom.js";
import { ListEnd } from "./listend.js";
import { FILTERS, byNeed, found } from "./look.js";
import { SHEET_ACTS, SHEET_FORMS, sheet, sheetDrawn } from "./sheet.js";
import { Shell } from "./shell.js";
import { say } from "./words.js";

const DENSITIES = ["roomy", "compact", "dense"];
const KEPT = "plusthree.judge";
const STEP = 40; // cards drawn at once; the next ones follow before their place is scrolled into sight
const view = { filter: "all", density: "roomy", ...JSON.parse(localStorage.getItem(KEPT) ?? "{}"), typed: "", most: STEP };

function kept(change) {
  Object.assign(view, change, { most: STEP });
  localStorage.setItem(KEPT, JSON.stringify({ filter: view.filter, density: view.density }));
}

function choice(act, names, chosen, label, words) {
  return el("div", { class: `chips ${act}`, role: "group", "aria-label": label, "data-key": act }, names.map((name) =>
    el("button", { type: "button", class: "chip", "data-act": act, "data-name": name, "aria-pressed": String(name === chosen) }, words(name))));
}

function tables(shell) {
  const all = Object.values(shell.state.tables);
  const sorted = byNeed(all.filter(FILTERS[view.filter]).filter((table) => found(table, view.typed)), shell.now);
  const shown = shell.steady.order("cards", sorted.map((table) => table.table)).map((number) => shell.state.tables[number]);
  const rest = shown.length - view.most;
  const count = (name) => all.filter(FILTERS[name]).length;
  return el("section", { class: "tables", "aria-label": say("tables"), "data-key": "tables" },
    el("div", { class: "finding", "data-key": "finding" },
      el("label", { class: "search" }, el("span", { class: "unseen" }, say("search")),
        el("input", { type: "search", placeholder: say("search"), "data-on": "search", autocomplete: "off", enterkeyhint: "search" })),
      choice("filter", Object.keys(FILTERS), view.filter, say("filters"), (name) => [say(`filter.${name}`), " ", el("small", {}, count(name))]),
      choice("density", DENSITIES, view.density, say("densities"), (name) => say(`density.${name}`))),
    shown.length ? null : el("p", { class: "quiet" }, say(all.length ? "none_found" : "seats.none")),
    el("div", { class: "cards", "data-density": view.density, "data-steady": "cards", "data-key": "cards" }, shown.slice(0, view.most).map((table) => card(table, shell.state.round, shell.now))),
    rest > 0 ? button("more", say("tables.rest", { count: rest }), {}, "rest") : null);
}

/** A call as this page has heard of it: passed on to the head judge it rings anew. */
const keyOf = (call) => `${call.table}${call.claimed?.head ? " head" : ""}`;

const end = new ListEnd(() => page.acts.more(shell));

let heard = null; // tables that wait
let going = new Set(); // tables that the judge of this page goes to

/** Tell a judge whose way somebody else has taken. */
function overtaken(shell) {
  const calls = shell.state.calls ?? {};
  for (const table of going) {
    const claimed = calls[table]?.claimed;
    if (claimed?.by && !isMine(shell, calls[table])) shell.note(say("claim.taken", { table, by: claimed.by }), "ask");
  }
  going = new Set(Object.keys(calls).filter((table) => isMine(shell, calls[table])));
}

const page = {
  name: "judge",
  render: (shell) => [callList(shell, Boolean(view.typed.trim())), pastCalls(shell), tables(shell)],
  over: sheet,
  awake: () => !narrow.matches, // on a stand; a phone in a pocket had better lock itself
  drawn(self) { sheetDrawn(self); end.watch(document.querySelector(".tables > .rest")); },
  acts: {
    ...CALL_ACTS,
    ...SHEET_ACTS,
    filter: (shell, { name }) => { kept({ filter: name }); shell.draw(); },
    density: (shell, { name }) => { kept({ density: name }); shell.draw(); },
    search: (shell, _, node) => { Object.assign(view, { typed: node.value, most: STEP }); shell.draw(); },
    more: (shell) => { view.most += STEP; shell.draw(); },
  },
  forms: SHEET_FORMS,
  changed(shell) {
    overtaken(shell);
    const waiting = queue(shell).filter((call) => !call.arrived_ms && isFor(shell, call));
    const open = new Set(waiting.map(keyOf));
    if (heard) for (const call of waiting) if (!heard.has(keyOf(call))) shell.speak(say("speak.call", { table: call.table, type: say(call.claimed?.head ? "call.to_head" : `call.${call.type}`) }));
    if (heard && navigator.userActivation?.hasBeenActive && [...open].some((table) => !heard.has(table))) navigator.vibrate?.(200);
    heard = open;
  },
};

const shell = new Shell(page);
narrow.addEventListener("change", () => shell.draw());
shell.start();
