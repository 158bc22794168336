// What every page has: the bar, the line to the host, spoken changes, short notes, and one way for clicks and forms.

import { command } from "./actforms.js";
import { Awake } from "./awake.js";
import { here } from "./base.js";
import { left, minutes, ofDay } from "./clock.js";
import { button, el, fill, icon } from "./dom.js";
import { roomClock } from "./look.js";
import { SheetHistory } from "./sheethistory.js";
import { Steady } from "./steady.js";
import { Once, UNDO_MS, undoOf } from "./undo.js";
import { known, language, nameOf, others, say, turnTo } from "./words.js";
import { Wire } from "./wire.js";

const TICK_MS = 250;
const NOTE_MS = 7000;
const SET_UP_MS = 120000; // who sets a screen up has read it then
const STAYING = ["bad", "ask"]; // kinds of notes that somebody has to have read
const MOST_NOTES = 4;
const MOST_REMARKS = 3; // of one act
const SEEN_MS = 3000; // whoever goes on after that has seen what was refused
const PAGES = [["judge", "judge"], ["desk", "organiser"], ["hall", "viewer"], ["seats", "viewer"], ["standings", "viewer"], ["wall", "viewer"]];
const ROLES = ["viewer", "judge", "head", "organiser"];
const THEME = "plusthree.theme";

/** Run a page: `page.render(shell)` gives its main part's nodes; `page.acts` and `page.forms` answer to people; `page.awake()` whether its screen stays on. */
export class Shell {
  constructor(page) {
    this.page = page;
    this.notes = [];
    this.waits = new Set(); // ids of our orders whose fate is not told yet
    this.once = new Once();
    this.steady = new Steady();
    this.sheet = new SheetHistory(() => this.#sheetMoved());
    this.told = null; // what was said of the round last
    this.round = null; // the number of the round that is shown
    this.wire = new Wire((sections) => this.#changed(sections), here);
    this.acts = { ...ACTS, ...page.acts };
    this.forms = { command: (shell, given, node) => command(shell, { act: node.dataset.actName, table: node.dataset.table }, given), ...page.forms };
    this.drawing = false;
    this.sizes = new ResizeObserver((seen) => seen.forEach(({ target }) => document.documentElement.style.setProperty(`--${target.dataset.key}`, `${target.offsetHeight}px`)));
  }

  get state() { return this.wire.state; }
  get now() { return this.wire.now; }
  /** Whether the host is out of reach: what is shown may have changed since, and no clock is vouched for. */
  get lost() { return this.state !== null && !this.wire.connected; }
  get opened() { return this.sheet.table; }
  may(act) { return this.wire.may(act); }
  get staff() { return ROLES.indexOf(this.wire.me?.role) >= 1; }

  async start() {
    theme(localStorage.getItem(THEME) ?? this.page.theme ?? "auto");
    document.title = `${say(`page.${this.page.name}`)} · PlusThree`;
    document.addEventListener("click", (event) => this.#clicked(event));
    document.addEventListener("submit", (event) => this.#sent(event));
    document.addEventListener("input", (event) => this.#typed(event));
    document.addEventListener("change", (event) => this.#typed(event));
    if (!(await this.wire.enter())) return location.assign(here("/"));
    setInterval(() => this.tick(), TICK_MS);
    if (this.page.awake?.()) new Awake(() => this.setUp(say("awake.refused"))).hold();
    this.draw();
    return undefined;
  }

  /** Say something to who sets this screen up; players are not told it for ever. */
  setUp(text) {
    const id = this.note(text, "ask");
    setTimeout(() => this.putAway(id), SET_UP_MS);
  }

  /** Draw at the next frame; many calls are one. */
  draw() {
    if (this.drawing) return;
    this.drawing = true;
    requestAnimationFrame(() => this.#drawNow());
  }

  #drawNow() {
    if (!this.drawing) return;
    this.drawing = false;
    if (!this.wire.me) return;
    const root = document.body;
    const main = el("main", { id: "main", tabindex: "-1", "data-key": "main", class: `page-${this.page.name}` });
    main.append(...(this.state ? [this.page.render(this)].flat(Infinity).filter(Boolean) : [el("p", { class: "quiet" }, say("connecting"))]));
    const speaker = el("div", { class: "spoken", "aria-live": "polite", "data-key": "spoken", "data-own": true });
    const skip = el("a", { class: "skip", href: "#main" }, say("skip"));
    const over = this.page.over?.(this) ?? null;
    over?.append(this.#notes(), speaker); // nothing outside an open sheet can be reached or is spoken
    over?.prepend(this.#lost());
    fill(root, skip, this.page.bare ? null : this.#bar(), over ? null : this.#lost(), this.#troubles(), main, ...(over ? [over] : [this.#notes(), speaker]));
    this.tick();
    this.#measured();
    this.page.drawn?.(this);
  }

  /** Tell the style sheets how high the bar and the notes are: nothing that is scrolled to hides under them. */
  #measured() {
    this.sizes.disconnect();
    for (const node of document.querySelectorAll(".bar, .notes")) this.sizes.observe(node);
  }

  #bar() {
    const { state, wire } = this;
    const at = ROLES.indexOf(wire.me.role);
    const links = PAGES.filter(([, role]) => at >= ROLES.indexOf(role) || (role === "organiser" && wire.me.role === "head"));
    return el("header", { class: "bar", "data-key": "bar" },
      el("span", { class: "brand", "aria-hidden": "true" }, "+3"),
      el("div", { class: "where" },
        el("bdi", { class: "event" }, state?.event?.name ?? wire.me.event ?? ""),
        el("span", { class: "round" }, state?.round ? say("round_state", { number: state.round.number, state: say(`round.${state.round.state}`) }) : say(state && !state.event ? "no_event" : "no_round"))),
      state?.paused ? el("strong", { class: "stopped", role: "status" }, icon("frozen"), say("room.stopped")) : null,
      state?.round ? roundClock(this, "clock-bar") : null,
      el("nav", { "aria-label": say("pages") }, links.map(([name]) =>
        el("a", { href: here(`/${name}`), "aria-current": name === this.page.name ? "page" : null }, say(`page.${name}`)))),
      el("div", { class: "tools" },
        others.map((other) => el("button", { type: "button", class: "tool", "data-act": "turn", "data-to": other, lang: other, "aria-label": `${other.toUpperCase()}: ${say("turn", { language: nameOf(other) })}` }, other.toUpperCase())),
        el("button", { type: "button", class: "tool", "data-act": "theme", "aria-label": say("theme") }, icon("theme"))));
  }

  #lost() {
    document.documentElement.classList.toggle("lost", this.lost);
    return el("div", { class: "line", role: "alert", "data-key": "line" }, this.lost ? [icon("warning"), el("span", {}, say("not_connected", { time: ofDay(this.wire.heard, this.state.event?.origin_unix_ms ?? 0) }))] : null);
  }

  /** What goes wrong while the desk goes on: since when, and what to do. */
  #troubles() {
    const told = this.state?.troubles ?? [];
    return el("div", { class: "troubles", role: "alert", "data-key": "troubles" }, told.map(({ kind, since_ms, why }) =>
      el("p", { class: "line", "data-key": kind }, icon("warning"), el("span", {}, say(`trouble.${kind}`, { time: ofDay(since_ms, this.state.event?.origin_unix_ms ?? 0) }),
        why ? ` ${sentence(why[language])}` : null), this.#answers(kind))));
  }

  /** What somebody may answer to a trouble. */
  #answers(kind) {
    const said = { clock: [["true", "clock.passed"], ["false", "clock.wrong"]], clock_off: [["false", "seen"]] }[kind];
    return said && this.may("clock") ? el("span", { class: "row" }, said.map(([passed, key]) => button("clock", say(key), { passed }))) : null;
  }

  #notes() {
    return el("div", { class: "notes", role: "status", "data-key": "notes" },
      this.notes.map((note) => el("p", { class: `note ${note.kind}`, "data-key": `note${note.id}` },
        el("span", {}, note.text), note.undo ? button("undo", say("act.undo"), { id: note.id }) : null, STAYING.includes(note.kind) ? el("button", { type: "button", class: "tool", "data-act": "dismiss", "data-id": note.id, "aria-label": say("close") }, icon("close")) : null)));
  }

  #sheetMoved() {
    this.history = null;
    if (this.opened === null) this.codes = this.proposed = null;
    this.draw();
  }

  /** Say something in a corner, and to who listens; what is bad stays until it was seen or done after all, what asks until it is put away. */
  note(text, kind = "", undo = null, about = null) {
    const note = { text, kind, undo, about, id: Math.random(), at: performance.now() };
    const others = this.notes.filter((one) => one.text !== text && (kind !== "good" || one.kind !== "good")); // one thing done is enough to see
    this.notes = [...others, note].slice(-MOST_NOTES);
    if (!STAYING.includes(kind)) setTimeout(() => this.putAway(note.id), undo ? UNDO_MS : NOTE_MS);
    this.draw();
    return note.id;
  }

  /** Say that an act at a table, `about`, was refused, in place of whatever was said of it. */
  refused(about, text) {
    this.notes = this.notes.filter((one) => one.about !== about);
    this.note(text, "bad", null, about);
  }

  /** Put the refusals of an act at a table away: it was done after all. */
  #settled(about) {
    this.#keep((one) => one.kind !== "bad" || one.about !== about);
  }

  /** Put away what was refused, once somebody has seen it and goes on. */
  #goesOn(event) {
    if (event.target.closest?.(".notes")) return;
    this.#keep((one) => one.kind !== "bad" || performance.now() - one.at < SEEN_MS);
  }

  putAway(id) {
    this.#keep((one) => one.id !== id);
  }

  #keep(which) {
    const kept = this.notes.filter(which);
    if (kept.length === this.notes.length) return;
    this.notes = kept;
    this.draw();
  }

  /** Say something to who listens alone. */
  speak(text) {
    const speaker = document.querySelector(".spoken");
    if (speaker) speaker.textContent = text;
  }

  /** Let every clock on the page tell the present. */
  tick() {
    for (const node of document.querySelectorAll("[data-zero]")) {
      const still = node.dataset.still === undefined ? null : Number(node.dataset.still);
      show(node, minutes(left(Number(node.dataset.zero), still, this.now)));
    }
    for (const node of document.querySelectorAll("[data-since]")) {
      const end = node.dataset.until === undefined ? this.now : Number(node.dataset.until);
      show(node, minutes(Math.max(0, end - Number(node.dataset.since))));
    }
    this.page.tick?.(this);
    if (this.steady.due) this.draw();
  }

  #changed(sections) {
    if (this.state && (sections.includes("*") || sections.includes("orders"))) this.#fates();
    if (this.state) this.#tell();
    if (this.state) this.#turned();
    if (this.state) this.page.changed?.(this, sections);
    this.draw();
  }

  /** Say to who listens that the round went on, or that the room stands still. */
  #tell() {
    const { round, paused } = this.state;
    const told = paused ? say("room.paused") : round ? say("round_state", { number: round.number, state: say(`round.${round.state}`) }) : say("no_round");
    if (this.told !== null && this.told !== told) this.speak(told);
    this.told = told;
  }

  /** Say to staff that an open sheet is of another round now: its people are others, its fields are empty. */
  #turned() {
    const number = this.state.round?.number ?? null;
    if (this.round !== null && number !== this.round && number !== null && this.opened !== null && this.staff) this.note(say("sheet.round", { round: number, table: this.opened }), "ask");
    this.round = number;
  }

  #fates() {
    for (const order of Object.values(this.state.orders ?? {})) {
      if (!this.waits.has(order.id) || order.state === "pending") continue;
      this.waits.delete(order.id);
      if (order.state === "refused") {
        this.refused(`${order.what} ${order.table}`, say("order.refused", { table: order.table, what: say(`what.${order.what}`), why: order.why ? say(order.what === "extend" && order.why === "illegal" ? "refusal.time" : `refusal.${order.why}`) : "" }));
      } else if (order.state === "done") this.#settled(`${order.what} ${order.table}`);
    }
  }

  /** Do an act and say how it went; returns the answer or null. */
  async act(name, body, done = null, undo = false) {
    if (this.once.again(name, body, performance.now())) return null;
    const about = `${name} ${body.table ?? ""}`;
    const told = await this.wire.act(name, body);
    if (told.error !== undefined) {
      this.refused(about, told.error ? capital(told.error) : unanswered(told, body));
      return null;
    }
    this.#settled(about);
    for (const id of told.orders ?? []) this.waits.add(id);
    if (done !== "" && !told.ask) this.note(told.told ? capital(told.told) : done ?? say(known(`done.${name}`) ? `done.${name}` : told.orders?.length ? "requested" : "done"), "good", undo ? null : undoOf(this, name, body), about);
    if (told.said?.length) this.note(remarks(told.said), "ask");
    return told;
  }

  /** Do an act that the host asks about first where it is not plain; null where it was not done. */
  async asked(name, body) {
    const told = await this.act(name, body);
    if (!told?.ask) return told;
    return confirm(capital(told.ask)) ? this.act(name, { ...body, sure: true }) : null;
  }

  #clicked(event) {
    this.#goesOn(event);
    const node = event.target instanceof Element ? event.target.closest("[data-act]") : null;
    if (!node || node.disabled) return;
    if (this.steady.missed(event)) { this.note(say("list_moved")); return; }
    const act = this.acts[node.dataset.act];
    if (act) act(this, node.dataset, node);
    else command(this, node.dataset); // a button of the host's table of acts gives no fields of its own
  }

  #sent(event) {
    const act = this.forms[event.target.dataset.form];
    if (!act) return;
    event.preventDefault();
    act(this, new FormData(event.target), event.target, event.submitter);
  }

  #typed(event) {
    this.#goesOn(event);
    const act = event.target.dataset?.on;
    if (!act) return;
    this.acts[act]?.(this, event.target.dataset, event.target);
    this.#drawNow(); // the fields of a choice stand there before the next key
  }
}

/** The room's clock as an element that ticks, or a word where the clock is hidden. */
export function roundClock({ state, now, lost }, kind) {
  const { zero, still } = roomClock(state);
  if (state.round.hidden && zero === null) return el("span", { class: `clock ${kind} word` }, say("hidden"));
  if (state.round.untimed && state.round.state === "running") return el("span", { class: `clock ${kind} word` }, say("untimed"));
  if (zero === null || state.round.state === "closed") return null;
  const start = zero - state.round.minutes * 60000;
  const word = lost ? "clock.lost" : now < start ? "wall.now.pregame" : null;
  return el("span", { class: "until" }, word ? el("small", {}, say(word)) : null,
    el("span", { class: `clock ${kind}`, role: "timer", "data-zero": now < start ? start : zero, "data-still": still }));
}

/** What the host says as a part of a sentence, as a sentence of its own. */
function sentence(text = "") {
  return `${capital(text)}.`;
}

/** What is said of an act that nobody answered: only one that was not sent has certainly changed nothing. */
function unanswered({ unsent }, { table }) {
  return unsent ? say("not_sent") : table ? say("not_answered.table", { table }) : say("not_answered");
}

/** The host's remarks on an act, a line each; of many the first, and how many more there are. */
function remarks(said) {
  const rest = said.length - MOST_REMARKS;
  const lines = said.slice(0, MOST_REMARKS).map(capital);
  return [...lines, ...(rest > 0 ? [say("remarks.rest", { count: rest })] : [])].join("\n");
}

function capital(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function show(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function theme(name) {
  document.documentElement.dataset.theme = name;
}

const ACTS = {
  clock: (shell, { passed }) => shell.act("clock", { passed: passed === "true" }),
  turn: (_, { to }) => turnTo(to),
  dismiss: (shell, { id }) => shell.putAway(Number(id)),
  undo: (shell, { id }) => {
    const { undo } = shell.notes.find((note) => note.id === Number(id)) ?? {};
    shell.putAway(Number(id));
    return undo ? shell.act(undo.act, undo.body, null, true) : null;
  },
  theme: () => {
    const root = document.documentElement;
    const dark = root.dataset.theme === "dark" || (root.dataset.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
    theme(dark ? "light" : "dark");
    localStorage.setItem(THEME, root.dataset.theme);
  },
};
