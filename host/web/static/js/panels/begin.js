// Beginning: what is played, who plays, and round 1 drawn from them; until then the desk shows little else.
// How a list is read, or all its faults as one sentence, `look_at_players` says (host/desk/acts/begin_acts.py).

import { button, el } from "../dom.js";
import { known, say } from "../words.js";
import { chosen as shownFile, contentOf } from "./files.js";
import { codeWords, field, form, naming, pick, renames, text, whole } from "./parts.js";

const LOOK_MS = 400;
const FILES = ".csv,.tsv,.txt,.tdf,.json";
const looked = { told: null, due: null, node: null }; // how the host reads the list that is typed in a node

const KEPT = "plusthree.begin";

/** What was typed of a new event so far: a page back, a reload and another panel lose nothing of it. */
const typed = () => JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");

function keep({ form: begun }) {
  const told = [...new FormData(begun)].filter(([, value]) => typeof value === "string");
  sessionStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(told)));
}

const NAME = "[data-form=begin] [name=name]";

/** Put what was typed into a form that comes to the page; one that is there has it. */
function filled(begun) {
  if (document.querySelector(NAME)) return begun;
  for (const [name, value] of Object.entries(typed())) {
    const node = begun.elements[name];
    if (node) node.value = value;
  }
  return begun;
}

/** A choice with a sentence; which one it is, is said by nobody else. */
function choice(name, value, title, help, chosen, attributes = {}) {
  return el("label", { class: "choice told", "data-key": `${name} ${value}` }, el("input", { type: "radio", name, value, required: true, checked: chosen, ...attributes }),
    el("span", {}, el("b", {}, title), help ? el("small", {}, help) : null));
}

const group = (label, nodes) => el("fieldset", { class: "choices whole", "data-key": label }, el("legend", {}, say(label)), nodes);

/** The usual minutes of each kind of match that a system has. */
const minutesOf = ({ kinds }) => Object.fromEntries(kinds.map(({ words, minutes }) => [words, minutes]));

/** A format's words: the system, what a match is, and the minutes. */
function parts(format, system) {
  const words = format.split(" ");
  const fits = Object.keys(minutesOf(system)).filter((kind) => kind.split(" ").every((word) => !word || words.includes(word)));
  return { kind: fits.sort((one, other) => other.length - one.length)[0], minutes: words.at(-1), after: words.find((word) => word.startsWith("+")) };
}

/** What is chosen now, here or before. */
function chosenOf(told, desk) {
  const system = told.systems.find(({ name }) => name === (desk.chosen.system ?? typed().system ?? told.format.split(" ")[0])) ?? null;
  const before = system && told.format.startsWith(`${system.name} `) ? parts(told.format, system) : {};
  const kind = system && (desk.chosen.kind in minutesOf(system) ? desk.chosen.kind : before.kind ?? Object.keys(minutesOf(system))[0]);
  return { system, kind, before };
}

/** The fields of what is played. */
function played(told, desk) {
  const { system, kind, before } = chosenOf(told, desk);
  const title = (one) => one.title || say(`system.${one.name}`);
  const help = (one) => (known(`system.${one.name}.help`) ? say(`system.${one.name}.help`) : one.name);
  const turn = (what) => ({ "data-on": "choose_played", "data-what": what });
  return [
    group("begin.system", told.systems.map((one) => choice("system", one.name, title(one), help(one), one === system, turn("system")))),
    system ? [
      Object.keys(minutesOf(system)).length > 1 ? pick("kind", say("begin.kind"), Object.keys(minutesOf(system)).map((one) => [one, one.split(" ").map(codeWords).join(" · ")]), kind, { ...turn("kind"), "data-key": `kind ${system.name}` }, "long") : null,
      field("minutes", say("minutes"), { type: "number", min: 1, max: 900, required: true, value: kind === before.kind && before.minutes ? before.minutes : minutesOf(system)[kind], "data-key": `minutes ${system.name} ${kind}` }),
      field("rounds", say("begin.rounds"), { type: "number", min: 1, max: system.rounds || 30, value: told.rounds || null }),
      pick("cut", say("begin.cut"), [["", say("draft.no_cut")], ...told.cuts.map((count) => [count, count])], told.cut),
      system.after.length > 1 ? pick("after", say("begin.after"), system.after.map((one) => [one, one]), before.after, { "data-key": `after ${system.name}` }) : null,
      el("p", { class: "quiet whole" }, say("begin.rounds.help")),
      system.packs.length ? group("begin.pack", system.packs.map((one) => choice("pack", one.name, one.name, say("begin.pack.help", one), one.name === told.pack)))
        : el("p", { class: "whole", "data-key": "no-pack" }, say(known(`system.${system.name}.help`) ? "begin.pack.own" : "begin.pack.none"))] : null];
}

/** What is played as the host has it, from a form. */
function playedOf(given) {
  const system = text(given, "system");
  const words = [system, "swiss", text(given, "kind"), text(given, "after"), text(given, "minutes")];
  return { format: words.filter(Boolean).join(" "), rounds: whole(given, "rounds") ?? 0, cut: whole(given, "cut"), pack: text(given, "pack") };
}

/** A list of people, typed or pasted or out of a file, and how it is read. */
function list(kind) {
  const told = looked.node?.isConnected && looked.node.form.dataset.form === kind ? looked.told : null; // another form's list is not this one's
  return el("div", { class: "whole list", "data-key": "list" },
    el("label", {}, el("span", {}, say("begin.players")), el("textarea", { name: "players", rows: 8, spellcheck: "false", autocomplete: "off", placeholder: say("begin.players.example"), "data-on": "players_typed" })),
    el("p", { class: "quiet" }, say("begin.players.help")),
    el("label", { class: "file" }, el("span", {}, say("begin.file")), el("input", { type: "file", accept: FILES, "data-on": "players_file" })),
    el("p", { class: told?.fault ? "bad sentence" : "sentence", role: "status", "data-key": "looked" }, told && !told.error && (told.fault || told.count) ? shown(told) : ""));
}

function shown({ fault, count, lines, left_out: left }) {
  if (fault) return fault;
  const names = lines.map(([number, name, members]) => (number ? `${name} (${number})` : name) + (members ? `: ${members}` : "")).join(lines.some(([, , members]) => members) ? "; " : ", ");
  return [say("begin.read", { count }), " ", el("bdi", {}, names), count > lines.length ? " …" : "", left.length ? ` · ${say("begin.left_out", { names: left.join(", ") })}` : ""];
}

function newEvent(told, desk) {
  return filled(form("begin", say("begin.new"), [el("label", { class: "whole" }, el("span", {}, say("begin.name")), el("input", { name: "name", required: true, maxlength: 60, autocomplete: "off" })),
    played(told, desk), list("begin"), el("label", { class: "whole file" }, el("span", {}, say("begin.rounds_file")), el("input", { type: "file", name: "file", accept: FILES }))], say("act.begin")));
}

function changing(shell, told, desk) {
  return el("details", { class: "box", "data-key": "played" }, el("summary", {}, say("begin.played"), " ", el("small", {}, told.format.split(" ").slice(1).map(codeWords).join(" · "))),
    form("begin", null, played(told, desk), say("act.change"), ""), naming(shell));
}

function drawing(told) {
  return el("div", { class: "box", "data-key": "drawing" }, el("h2", {}, say("begin.entered", { count: told.people })),
    told.format ? button("draw_first", say("act.draw_first"), {}, "strong") : el("p", {}, say("begin.say_first")));
}

const entering = (told) => form("enter_players", say("begin.more"), [list("enter_players")], say("act.enter_players"), told.people ? "" : "strong");

/** The players' own entries, for staff to decide, and the code with which they are made. */
function doorPart({ door: open, entries }) {
  return [
    el("div", { class: "box door", "data-key": "door" }, el("h2", {}, say("door.title")), el("p", {}, say(open ? "door.open" : "door.help")),
      open ? [open.qr ? el("img", { src: open.qr, alt: say("door.qr"), width: 240, height: 240 }) : null, el("code", {}, open.url), open.also.map((url) => el("p", {}, say("links.elsewhere"), " ", el("code", {}, url))),
        open.qr ? null : el("p", { class: "ask" }, say("links.only_here"))] : null,
      button("door", say(open ? "act.shut_door" : "act.open_door"), { to: open ? "shut" : "open" }, open ? "" : "strong")),
    entries.length ? el("div", { class: "box", "data-key": "entries" }, el("h2", {}, say("door.waiting", { count: entries.length })),
      entries.some(({ seen }) => !seen.length) ? button("accept_entry", say("act.accept_entries"), {}, "strong") : null,
      el("ol", { class: "entries" }, entries.map((one) => el("li", { "data-key": `entry${one.id}` }, el("span", {}, el("bdi", { class: "name" }, one.name), " ", el("small", {}, one.number),
        one.seen.map((said) => el("span", { class: "ask" }, said))),
        el("span", { class: "row" }, button("accept_entry", say("act.accept_entry"), { id: one.id }), button("refuse_entry", say("act.refuse_entry"), { id: one.id }, "danger")))))) : null];
}

/** Read the list as it stands, a moment after the last letter. */
function lookSoon(shell, node) {
  clearTimeout(looked.due);
  looked.node = node;
  looked.due = setTimeout(async () => {
    looked.told = node.value.trim() ? await shell.wire.act("look_at_players", { players: node.value }) : null;
    shell.draw();
  }, LOOK_MS);
}

/** The players in a file, as a list. */
async function playersOf(shell, file) {
  return shell.wire.act("look_at_players", { file: { name: file.name, content: (await contentOf(file)) ?? "" } });
}

const SHARED = {
  acts: {
    players_typed: ({ shell }, _, node) => lookSoon(shell, node),
    players_file: async ({ shell }, _, node) => {
      const [file] = node.files;
      if (!file) return;
      node.value = "";
      const into = node.form.elements.players;
      const told = await playersOf(shell, file);
      into.value = told.players ?? "";
      Object.assign(looked, { told: { fault: told.fault ?? told.error }, node: into });
      if (told.players) lookSoon(shell, into);
      shell.draw();
    },
    choose_played: ({ shell, desk }, { what }, node) => { desk.chosen[what] = node.value; shell.draw(); },
    draw_first: ({ act }) => act("draw_first", {}),
    door: ({ act }, { to }) => act("door", { on: to === "open" }),
    accept_entry: ({ act }, { id }) => act("accept_entry", { entry: id === undefined ? null : Number(id) }),
    refuse_entry: ({ act }, { id }) => act("refuse_entry", { entry: Number(id) }),
  },
  forms: {
    begin: async (panel, given) => {
      const { shell, load } = panel;
      const file = given.get("file");
      const body = { name: shell.state.event?.name ?? text(given, "name"), ...playedOf(given), players: given.get("players") ?? "" };
      if (!(await shell.asked("begin", body))) return;
      sessionStorage.removeItem(KEPT);
      looked.told = null;
      load();
      if (!file?.size) return;
      location.hash = "#files"; // what it has is shown there, and taken
      shownFile(panel, file);
    },
    enter_players: async ({ shell, load }, given, node) => {
      if (!(await shell.asked("enter_players", { players: given.get("players") }))) return;
      node.reset();
      looked.told = null;
      load();
    },
    ...renames,
  },
};

let focused = false;
addEventListener("input", ({ target }) => { if (target.form?.dataset.form === "begin" && target.form.elements.name) keep(target); });

export const begin = {
  name: "begin",
  least: "begin",
  path: () => "/api/begin",
  render: (shell, told, desk) => (shell.state.event ? [drawing(told), entering(told), changing(shell, told, desk)] : newEvent(told, desk)),
  drawn: (shell) => {
    const name = document.querySelector(NAME);
    if (!name) return;
    const { players } = name.form.elements;
    if (players.value && !looked.node?.isConnected) lookSoon(shell, players); // it was typed before
    if (focused) return;
    focused = true;
    name.focus({ preventScroll: true });
  },
  ...SHARED,
};

export const door = {
  name: "door",
  least: "door",
  path: () => "/api/begin",
  render: (_, told) => [doorPart(told)],
};
