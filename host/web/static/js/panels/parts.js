// Pieces that panels share: tables of rows, forms, fields and choices.

import { el } from "../dom.js";
import { known, say } from "../words.js";

export const STEP = 100; // lines drawn at once; the next ones follow before their place is scrolled into sight

/** A table: `heads` are [key, kind], rows are lists of cells (nodes or texts). On a phone each row is a few lines, its cells after their heads. */
export function grid(heads, rows, key = "grid") {
  if (!rows.length) return null;
  return el("div", { class: "scrolled", tabindex: "0", role: "region", "aria-label": say("rows"), "data-key": key }, el("table", { role: "table" },
    el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, heads.map(([head, kind]) => el("th", { scope: "col", role: "columnheader", class: kind ?? null }, say(head))))),
    el("tbody", { role: "rowgroup" }, rows.map((cells) => el("tr", { role: "row" }, cells.map((cell, at) => el("td", { class: heads[at][1] ?? null, role: "cell", "data-head": say(heads[at][0]) }, cell)))))));
}

/** A form that `handlers[name]` answers; it has a title, fields and a button. */
export function form(name, title, fields, label, kind = "strong") {
  return el("form", { class: "box", "data-form": name, "data-key": `form-${name}` },
    title ? el("h2", {}, title) : null, el("div", { class: "row" }, fields, el("button", { class: `button ${kind}`, type: "submit" }, label)));
}

/** The form that corrects the event's name, and what answers it. */
export const naming = (shell) => form("rename_event", null, [field("name", say("begin.name"), { required: true, maxlength: 60, value: shell.state.event.name })], say("act.rename_event"), "");
export const renames = { rename_event: ({ act }, given) => act("rename_event", { name: text(given, "name") }) };

/** A labelled field. */
export function field(name, label, attributes = {}) {
  return el("label", { class: attributes.type === "number" ? "few" : "" }, el("span", {}, label), el("input", { name, autocomplete: "off", ...attributes }));
}

/** A labelled choice of [value, text]; `kind` is the label's class. */
export function pick(name, label, options, chosen = null, attributes = {}, kind = null) {
  return el("label", { class: kind }, el("span", {}, label), el("select", { name, ...attributes },
    options.map(([value, text]) => el("option", { value, selected: String(value) === String(chosen) }, text))));
}

/** The choice of a stored round, `usual` when none was chosen (null: none yet, undefined: the last); drafts are the organiser's. */
export function pickRound(shell, desk, usual = shell.state.round?.number) {
  const shown = Object.entries(shell.state.rounds ?? {}).filter(([, round]) => round.state !== "draft" || shell.may("publish"));
  const numbers = shown.map(([number]) => number);
  if (!numbers.length) return null;
  return pick("round", say("round"), (usual === null ? [["", "–"]] : []).concat(numbers.map((number) => [number, number])), desk.chosen.round ?? (usual === undefined ? numbers.at(-1) : usual ?? ""), { "data-on": "choose", "data-what": "round" });
}

/** The round that a panel shows: the one that was chosen, else the one that runs. */
export function shownRound({ state }, { round }) {
  return Number(round) === state.round?.number ? state.round : state.rounds[round] ?? state.round;
}

/** What a panel asks about the round that it shows. It always names it: which round runs, the page and the host may know differently. */
export const pathOfRound = (path, shell, chosen) => (shell.state?.round ? `${path}?round=${shownRound(shell, chosen).number}` : null);

const UNTIMED = "999"; // as host/archive/roster.py

/** A word of a format as people say it. */
export function codeWords(code) {
  if (known(`format.${code}`)) return say(`format.${code}`);
  if (/^bo\d+$/.test(code)) return say("format.best_of", { count: Number(code.slice(2)) });
  if (code === UNTIMED) return say("untimed");
  return /^\d+$/.test(code) ? `${code} ${say("min")}` : code;
}

/** A round's format as people say it; the host's has codes, as they are typed. */
export function formatWords({ format, points_cap: cap }) {
  const [system, ...codes] = format.split(" ");
  const told = codes.filter((code) => !(cap && code === "constructed")).map(codeWords);
  return [el("bdi", {}, system.toUpperCase()), ` · ${told.join(" · ")}`];
}

/** A form's value as text, trimmed, and as a number or null. */
export const text = (given, name) => String(given.get(name) ?? "").trim();
export const whole = (given, name) => (text(given, name) === "" ? null : Number(text(given, name)));
