// A result from paper: typed by staff for any table, and settled where the board says something else.

import { resultOf } from "./card.js";
import { button, el, named } from "./dom.js";
import { SHAPES } from "./look.js";
import { reasons } from "./reasons.js";
import { say } from "./words.js";

/** What a sheet has of it: who typed what, and the form. */
export function paperPart(shell, table) {
  const { result } = table;
  const typed = result?.by === "paper";
  return el("details", { class: "part p-paper", "data-key": "paper", open: typed || table.missing_board || table.silent },
    el("summary", {}, say("part.paper")),
    typed ? el("p", { class: "quiet" }, say("paper.by", { by: result.author, reason: result.reason })) : null,
    el("form", { "data-form": "result", "data-key": "result" }, paperFields(shell.state.round, table),
      el("div", { class: "row" }, el("button", { class: "button strong", type: "submit" }, say("act.result")),
        typed ? button("withdraw", say("act.withdraw"), { table: table.table }) : null)));
}

/** What paper and board say, where they differ, and which of them counts: for a judge to say. */
export function conflictPart(table) {
  const { result } = table;
  if (!result?.against) return null;
  const data = { table: table.table };
  return el("section", { class: "part conflict", "data-key": "conflict" }, el("h3", {}, say("need.conflict")),
    el("p", {}, say("conflict", { paper: resultOf(table, result), by: result.author, board: resultOf(table, result.against) })),
    el("div", { class: "row" }, button("paper_counts", say("conflict.paper"), data, "strong"), button("board_counts", say("conflict.board"), data, "strong")));
}

/** The fields of a result: who won, the numbers that the system asks for, and why it is typed. */
export function paperFields(round, table = null) {
  const cap = round?.points_cap ?? 0;
  const numbers = cap || (round?.best_of ?? 1) > 1;
  const { result } = table ?? {};
  const given = cap ? result?.destroyed : result?.games;
  const who = (seat) => [SHAPES[seat], " ", table ? named(table[seat.toLowerCase()]) : null];
  const outcome = (value, label) => el("label", { class: "choice" },
    el("input", { type: "radio", name: "outcome", value, required: true, "data-on": "paper_won" }), el("span", {}, label));
  const words = [["A", SHAPES.A], ["B", SHAPES.B], ...(round?.elimination ? [] : [["tie", say("tie")]])];
  return [
    table ? el("fieldset", {}, el("legend", {}, say("winner")), words.map(([value, word]) => outcome(value, value === "tie" ? word : who(value))))
      : el("label", { class: "few" }, el("span", {}, say("winner")), el("select", { name: "outcome", required: true, "data-on": "paper_won" },
        el("option", { value: "" }, "–"), words.map(([value, word]) => el("option", { value }, word)))),
    (table ? (...fields) => el("div", { class: "row" }, fields) : (...fields) => fields)(
      numbers ? ["a", "b"].map((seat, at) => el("label", { class: "few" }, el("span", {}, say(cap ? "points_of" : "games_of", { seat: SHAPES[seat.toUpperCase()] })),
        el("input", { name: `number_${seat}`, type: "number", inputmode: "numeric", min: 0, max: cap || 9, required: true, value: given?.[at] ?? null }))) : null,
      round?.narrow ? el("label", { class: "choice" }, el("input", { type: "checkbox", name: "narrow", checked: result?.narrow || null }), el("span", {}, say("narrow"))) : null,
      table ? reasons("result", say("paper.slip")) : el("label", {}, el("span", {}, say("reason")), el("input", { name: "reason", maxlength: 200, required: true, autocomplete: "off", value: say("paper.slip") }))),
  ];
}

/** Have a result kept, of the round that this page shows unless `body` names one; what is odd is asked about first. */
const keep = (shell, body) => shell.asked("result", { round: shell.state.round.number, ...body });

/** Keep what a form says: of the open sheet's table, or of the one typed in a line, which is empty then. */
async function entered(shell, form, node) {
  const number = (name) => Number(form.get(name) ?? 0);
  const line = form.has("table");
  const kept = await keep(shell, {
    ...(line ? { table: number("table"), round: Number(node.dataset.round) } : { table: shell.opened }),
    outcome: form.get("outcome"), reason: String(form.get("reason") ?? "").trim(),
    numbers: form.has("number_a") ? [number("number_a"), number("number_b")] : null,
    narrow: form.has("narrow"),
  });
  if (!kept || !line) return;
  node.reset();
  node.elements.table.focus();
}

export const PAPER_FORMS = { result: entered };

/** One line for a result from paper of a table; `round` is its facts. */
export function paperLine(round) {
  if (!round || round.state === "draft") return null;
  return el("form", { class: "box", "data-form": "result", "data-key": `typed${round.number}`, "data-round": round.number },
    el("h2", {}, say("part.paper"), " ", el("small", {}, say("round_number", { number: round.number }))), el("div", { class: "row" },
      el("label", { class: "few" }, el("span", {}, say("table")), el("input", { name: "table", type: "number", inputmode: "numeric", min: 1, required: true, autocomplete: "off" })),
      paperFields(round), el("button", { class: "button strong", type: "submit" }, say("act.result"))));
}

/** The games of whoever is chosen to have won, as they mostly are: a number that was typed stays. */
function likely(shell, node) {
  const { number_a: a, number_b: b } = node.form.elements;
  if (!a || a.value || b.value || shell.state.round?.points_cap) return;
  const need = Math.floor((shell.state.round?.best_of ?? 1) / 2) + 1;
  const games = { A: [need, 0], B: [0, need], tie: [1, 1] }[node.value];
  [a.value, b.value] = games;
}

export const PAPER_ACTS = {
  paper_won: (shell, _, node) => likely(shell, node),
  withdraw: (shell, { table }) => keep(shell, { table: Number(table), outcome: "none", reason: say("act.withdraw") }),
  board_counts: (shell, { table }) => keep(shell, { table: Number(table), outcome: "none", reason: say("conflict.board") }),
  paper_counts: (shell, { table }) => {
    const { result } = shell.state.tables[table];
    const numbers = result.destroyed ?? result.games;
    return keep(shell, { table: Number(table), outcome: result.outcome, numbers, narrow: result.narrow, reason: say("conflict.paper") });
  },
};
