// What a judge can do at one table: a sheet over the page, its forms kept as they are typed.

import { actForms } from "./actforms.js";
import { here } from "./base.js";
import { clock, marks, stateWord } from "./card.js";
import { ofDay } from "./clock.js";
import { button, el, icon, named } from "./dom.js";
import { happened } from "./happened.js";
import { SHAPES, stateOf } from "./look.js";
import { PAPER_ACTS, PAPER_FORMS, conflictPart, paperPart } from "./paper.js";
import { penaltyBody, penaltyPart } from "./penalty.js";
import { REASON_ACTS, reasons } from "./reasons.js";
import { known, say } from "./words.js";

const MINUTES = [1, 2, 3, 4, 5, 10];
const COUNTED = 16; // of a table's switches, as in firmware/core/play.py
const BEFORE_TIME = ["seated", "pregame", "playing", "frozen"];

/** The sheet of `shell.opened` (a table's number), or null. */
export function sheet(shell) {
  const table = shell.state?.tables[shell.opened];
  if (!table) return null;
  return el("dialog", { class: "sheet", "data-key": `sheet${shell.state.round.number}-${table.table}`, "aria-labelledby": "sheet-title" },
    head(shell, table),
    el("div", { class: "body" },
      conflictPart(table), table.boardless ? el("p", { class: "quiet" }, say("boardless")) : null, table.missing_board ? paperPart(shell, table) : null, clockPart(shell, table), rollPart(table),
      table.missing_board ? null : [resultPart(shell, table), paperPart(shell, table)], latePart(table), teamsPart(table), penaltyPart(shell, table), lossPart(shell, table), morePart(shell, table), historyPart(shell, table)));
}

/** Whether an act can be done at a table now: pages offer nothing that its board would refuse. */
const offered = (table, act) => table.offers.includes(act);

function head(shell, table) {
  return el("header", { class: `s-${stateOf(table, shell.now)}`, "data-key": "head" },
    el("span", { class: "fill" }, icon(stateOf(table, shell.now))),
    el("h2", { id: "sheet-title", tabindex: "-1" }, `${say("table")} ${table.table}`),
    el("span", { class: "word" }, stateWord(table, shell.now)), clock(table, shell.state.round),
    el("button", { type: "button", class: "tool", "data-act": "close", "aria-label": say("close") }, icon("close")),
    el("span", { class: "players" }, ["a", "b"].map((seat) => el("span", { class: "player" }, SHAPES[seat.toUpperCase()], " ", named(table[seat]), " ",
      el("small", {}, table[seat]?.number ?? ""), details(table[seat])))),
    el("span", { class: "marks" }, marks(table)));
}

/** A squad's obstacles. */
function details(player) {
  return player?.obstacles?.length ? el("span", { class: "details" }, say("obstacles", { list: player.obstacles.join(", ") })) : null;
}

/** Each team's home, and its members with the prizes that they set out and have left. */
function teamsPart(table) {
  const teams = ["a", "b"].filter((seat) => table[seat]?.members);
  if (!teams.length) return null;
  const left = (seat, at) => (table.piles && !table.result ? `, ${say("prizes_left", { count: table.piles["ab".indexOf(seat)][at] })}` : "");
  return part("teams", say("part.teams"), teams.map((seat) => [seat, table[seat]]).map(([seat, team]) => el("p", {}, el("bdi", { class: "name" }, team.name), team.home ? [", ", el("bdi", {}, team.home)] : null,
    el("ul", {}, team.members.map((one, at) => el("li", {}, `${one.position} `, named(one), ` ${one.number}: ${say("prizes_out", { count: one.prizes })}${left(seat, at)}`))))),
  el("p", { class: "quiet" }, say("prizes_earned")));
}

function part(key, title, ...children) {
  return el("section", { class: `part p-${key}`, "data-key": key }, el("h3", {}, title), children);
}

function clockPart(shell, table) {
  const [stops, runs, gives] = ["freeze", "resume", "extend"].map((act) => offered(table, act));
  if (!stops && !runs && !gives) return null;
  const data = { table: table.table };
  const proposed = shell.proposed?.table === table.table ? shell.proposed.minutes : table.extend_proposed;
  return part("clock", say("part.clock"),
    el("div", { class: "row" }, runs ? button("resume", say("act.resume"), data, "strong") : null, stops ? button("freeze", say("act.freeze"), data) : null, turnsButton(shell, table)),
    gives ? el("form", { "data-form": "extend", "data-key": `extend${proposed ?? ""}` },
      proposed ? el("p", { class: "proposed" }, say("proposed", { minutes: proposed })) : null,
      el("fieldset", { class: "chips" }, el("legend", {}, say("extend_by")), MINUTES.map((count) => el("label", { class: "chip" },
        el("input", { type: "radio", name: "chip", value: count, "data-on": "chip" }), el("span", {}, `+${count}`)))),
      el("div", { class: "row" },
        el("label", { class: "few" }, el("span", {}, say("minutes")),
          el("input", { name: "minutes", type: "number", inputmode: "numeric", min: 1, max: 120, required: true, value: proposed ?? 3 })),
      ),
      reasons("extend", say("reason.call"), Boolean(shell.state.round?.points_cap)), // mostly; what stands in the field is kept
      el("button", { class: "button strong", type: "submit" }, say("act.extend"))) : null);
}

/** Before time a board counts each turn where a judge wants it; after time it does so by itself. */
function turnsButton(shell, table) {
  if (!shell.state.round?.counts_turns || table.missing_board || table.result || !BEFORE_TIME.includes(table.phase)) return null;
  const counted = Boolean(table.policy & COUNTED);
  return button("turns", say(counted ? "act.turns_off" : "act.turns_on"), { table: table.table, count: counted ? "off" : "on" });
}

function rollPart(table) {
  if (table.roll !== "disputed") return null;
  const data = { table: table.table };
  return part("roll", say("part.roll"), el("div", { class: "row" },
    button("roll", say("act.roll_conclusive"), { ...data, ruling: "conclusive" }, "strong"), button("roll", say("act.roll_again"), { ...data, ruling: "again" })));
}

function resultPart(shell, table) {
  if (!offered(table, "rule")) return null;
  const data = { table: table.table };
  const many = (shell.state.round?.best_of ?? table.best_of) > 1;
  const games = (table.result ?? table).games;
  const outcome = (value, label) => el("label", { class: "choice" },
    el("input", { type: "radio", name: "outcome", value, required: true }), el("span", {}, label));
  return part("result", say("part.result"),
    table.result?.section ? el("p", { class: "quiet" }, say("section", { section: table.result.section })) : null,
    table.proposal ? el("p", {}, say("proposal", { outcome: outcomeWord(table.proposal.outcome) })) : null,
    table.proposal?.approval ? button("approve", say("act.approve"), data, "strong") : null,
    el("form", { "data-form": "rule", "data-key": "rule", id: "rule" },
      el("fieldset", {}, el("legend", {}, say("winner")),
        outcome("A", [SHAPES.A, " ", named(table.a)]), outcome("B", [SHAPES.B, " ", named(table.b)]),
        shell.state.round?.elimination ? null : outcome("tie", say("tie"))),
      points(shell) ? el("div", { class: "row" }, ["a", "b"].map((seat, at) => el("label", { class: "few" },
        el("span", {}, say("points_of", { seat: SHAPES[seat.toUpperCase()] })),
        el("input", { name: `games_${seat}`, type: "number", inputmode: "numeric", min: 0, max: points(shell), value: table.result?.destroyed?.[at] ?? null })))) : null,
      many ? el("div", { class: "row" }, ["a", "b"].map((seat, at) => el("label", { class: "few" },
        el("span", {}, say("games_of", { seat: SHAPES[seat.toUpperCase()] })),
        el("input", { name: `games_${seat}`, type: "number", inputmode: "numeric", min: 0, max: 9, value: games[at] })))) : null,
      el("label", { class: "choice" }, el("input", { type: "checkbox", name: "final", checked: Boolean(table.result) }), el("span", {}, say("final"))),
      reasons("rule"),
      el("button", { class: "button strong", type: "submit" }, say(table.result ? "act.correct" : "act.rule"))),
    table.result && offered(table, "reopen") ? el("div", { class: "row" }, el("button", { type: "submit", class: "button", form: "rule", name: "act", value: "reopen", formnovalidate: true }, say("act.reopen"))) : null);
}

/** An outcome's word with the seat's shape. */
export function outcomeWord(outcome) {
  if (outcome === "tie") return say("tie");
  if (SHAPES[outcome]) return say("wins", { seat: SHAPES[outcome] });
  return known(`outcome.${outcome}`) ? say(`outcome.${outcome}`) : say("judge_decides");
}

/** A squad's points in the round, 0 where games are counted. */
const points = (shell) => shell.state.round?.points_cap ?? 0;

/** What a ruling counts: games, or points destroyed where they are told; null for none. */
function counted(form) {
  if (!form.has("games_a") || !(text(form, "games_a") || text(form, "games_b"))) return null;
  return ["games_a", "games_b"].map((name) => (text(form, name) ? number(form, name) : null));
}

function latePart(table) {
  if (!offered(table, "late")) return null;
  return part("late", say("part.late"), el("div", { class: "row" },
    ["A", "B", "AB"].map((seats) => button("late", say(`late.${seats}`), { table: table.table, seats })),
    table.late ? button("late", say("late.none"), { table: table.table, seats: "-" }) : null));
}

function lossPart(shell, table) {
  if (!offered(table, "loss")) return null;
  return el("details", { class: "part", "data-key": "loss" }, el("summary", {}, say("part.loss")),
    el("form", { "data-form": "loss", "data-key": "loss-form" },
      el("fieldset", {}, el("legend", {}, say("loss.who")), ["A", "B"].map((seat) => el("label", { class: "choice" },
        el("input", { type: "radio", name: "seat", value: seat, required: true }), el("span", {}, SHAPES[seat], " ", named(table[seat.toLowerCase()]))))),
      reasons("loss", null, Boolean(shell.state.round?.points_cap)),
      el("button", { class: "button strong", type: "submit" }, say("act.loss"))));
}

function morePart(shell, table) {
  if (table.boardless) return null;
  const data = { table: table.table };
  return el("details", { class: "part", "data-key": "more" }, el("summary", {}, say("part.more")),
    actForms(shell, "more", data, table.offers),
    el("div", { class: "row" },
      shell.may("codes") ? button("codes", say("act.codes"), data) : null),
    el("div", { class: "codes", role: "status", "data-key": "codes" }, shell.codes?.table === table.table
      ? [el("p", {}, say("codes_are", { table: table.table })), el("ol", {}, shell.codes.codes.map((code) => el("li", {}, el("code", {}, code))))] : null),
    shell.state.round?.points_cap || !offered(table, "prizes") ? null : el("form", { "data-form": "prizes", "data-key": "prizes" }, el("div", { class: "row" },
      ["a", "b"].map((seat, at) => el("label", { class: "few" }, el("span", {}, say("prizes_of", { seat: SHAPES[seat.toUpperCase()] })),
        el("input", { name: seat, type: "number", inputmode: "numeric", min: 0, max: 6, required: true, value: table.adjusted[at] }))),
      el("button", { class: "button", type: "submit" }, say("act.prizes")))),
    el("form", { "data-form": "code", "data-key": "code" }, el("div", { class: "row" },
      el("label", {}, el("span", {}, say("code")), el("input", { name: "text", required: true, maxlength: 40, autocomplete: "off", autocapitalize: "characters" })),
      el("button", { class: "button", type: "submit" }, say("act.code")))));
}

/** Do an act that a button names, at the table that it names. */
const plainly = (shell, { act, table }) => shell.act(act, { table: Number(table) });

function historyPart(shell, table) {
  const told = shell.history?.table === table.table ? shell.history.lines : null;
  return el("details", { class: "part", "data-key": "history", "data-table": table.table },
    el("summary", { "data-act": "history", "data-table": table.table }, say("part.history")),
    el("ol", { class: "history" }, (told ?? []).map((line) => el("li", {},
      el("span", { class: "at" }, ofDay(line.at_ms, shell.state.event.origin_unix_ms, true)), " ", happened(line), line.state === "done" ? null : ` · ${say(`fate.${line.state}`)}`,
      line.author && !known(`author.${line.author}`) ? [" · ", el("bdi", {}, line.author)] : null, line.reason ? [" · ", el("bdi", {}, line.reason)] : null))),
    told && !told.length ? el("p", { class: "quiet" }, say("no_history")) : null,
    el("p", {}, el("a", { class: "button plain", href: here(`/check#${shell.state.round.number}/${table.table}`) }, say("page.check"))));
}

const number = (form, name) => Number(form.get(name) ?? 0);
const text = (form, name) => String(form.get(name) ?? "").trim();

/** The sheet's acts: by buttons and by forms. */
export const SHEET_ACTS = {
  open: (shell, { table }) => shell.sheet.open(Number(table)),
  close: (shell) => document.querySelector("dialog.sheet")?.close(),
  chip: (_, __, node) => { node.form.elements.minutes.value = node.value; },
  freeze: (shell, { table }) => shell.act("freeze", { table: Number(table), reason: document.querySelector("[data-form=extend] [name=reason]")?.value ?? "" }),
  ...PAPER_ACTS,
  ...REASON_ACTS,
  resume: plainly,
  roll: (shell, { table, ruling }) => shell.act("roll", { table: Number(table), ruling }),
  turns: (shell, { table, count }) => shell.act("turns", { table: Number(table), on: count === "on" }),
  approve: plainly,
  late: (shell, { table, seats }) => shell.act("late", { table: Number(table), seats }),
  codes: async (shell, { table }) => {
    const told = await shell.act("codes", { table: Number(table) }, "");
    shell.codes = told && { table: Number(table), codes: told.codes.slice(0, 3) };
    shell.draw();
  },
  history: async (shell, { table }) => {
    const told = await shell.wire.read(`/api/table/${table}`);
    shell.history = { table: Number(table), lines: told.history ?? [] };
    shell.draw();
  },
};

export const SHEET_FORMS = {
  extend: async (shell, form) => {
    if (await shell.asked("extend", { table: shell.opened, minutes: number(form, "minutes"), reason: text(form, "reason") })) shell.proposed = null;
  },
  rule: (shell, form, _, button) => (button?.value === "reopen" ? shell.act("reopen", { table: shell.opened, reason: text(form, "reason") }) : shell.asked("rule", {
    table: shell.opened, outcome: form.get("outcome"), games: counted(form),
    final: form.has("final"), reason: text(form, "reason"),
  })),
  ...PAPER_FORMS,
  penalize: async (shell, form, node) => { if (await shell.act("penalize", penaltyBody(form))) node.reset(); },
  loss: (shell, form) => shell.act("loss", { table: shell.opened, seat: form.get("seat"), reason: text(form, "reason") }),
  prizes: (shell, form) => shell.act("prizes", { table: shell.opened, a: number(form, "a"), b: number(form, "b") }),
  code: (shell, form) => shell.act("code", { table: shell.opened, text: text(form, "text") }),
};

/** Open the sheet that was drawn, and forget it once it is closed, or its table is gone. */
export function sheetDrawn(shell) {
  const dialog = document.querySelector("dialog.sheet");
  if (!dialog && shell.state) shell.sheet.close();
  if (!dialog || dialog.open) return;
  const table = shell.opened;
  dialog.addEventListener("close", () => { if (shell.opened === table) shell.sheet.close(); }, { once: true });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.showModal();
  dialog.querySelector("#sheet-title").focus();
}
