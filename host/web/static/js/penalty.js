// Penalties: given at a table's sheet, and the register of the event.

import { el, named } from "./dom.js";
import { SHAPES } from "./look.js";
import { say } from "./words.js";

export const LEVELS = ["caution", "warning", "prizes", "game_loss", "match_loss", "disqualification"]; // in the order of host/event/penalties.py
export const CATEGORIES = ["play", "tardy", "slow", "deck", "conduct", "cheating", "other"];

/** A penalty's level and what it was for. */
export function penaltyWords(level, category) {
  return `${say(`penalty.level.${level}`)}, ${say(`penalty.category.${category}`)}`;
}

/** The fields of a penalty beside whose it is. */
export function penaltyFields(shell) {
  const levels = LEVELS.filter((level) => level !== "prizes" || !shell.state.round?.points_cap); // squads set out none
  const pick = (name, words, family) => el("label", {}, el("span", {}, say(`penalty.${name}`)),
    el("select", { name }, words.map((word) => el("option", { value: word }, say(`${family}.${word}`)))));
  return [el("div", { class: "row" }, pick("level", levels, "penalty.level"), pick("category", CATEGORIES, "penalty.category")),
    el("label", { class: "whole" }, el("span", {}, say("reason")), el("input", { name: "reason", maxlength: 200, required: true, autocomplete: "off" }))];
}

/** The register's lines of some players, the last first; `numbers` null for everybody's. */
export function penaltiesOf(shell, numbers = null) {
  return (shell.state.penalties ?? []).filter((one) => numbers === null || numbers.includes(one.player)).reverse();
}

/** A judge's part of a table's sheet: give a penalty there, with what each player has already. */
export function penaltyPart(shell, table) {
  if (!shell.may("penalize") || !table.a?.number) return null;
  const seats = ["A", "B"].filter((seat) => table[seat.toLowerCase()]);
  const before = penaltiesOf(shell, seats.map((seat) => table[seat.toLowerCase()].number));
  return el("section", { class: "part", "data-key": "penalty" }, el("h3", {}, say("part.penalty")),
    before.length ? el("ul", { class: "before", "aria-label": say("penalties.before") }, before.map((one) => el("li", { "data-key": `before${one.id}` },
      el("bdi", { class: "name" }, one.name), ` · ${say("round_number", { number: one.round })} · ${penaltyWords(one.level, one.category)} · `, el("bdi", {}, one.reason)))) : null,
    el("form", { "data-form": "penalize", "data-key": "penalize" },
      el("fieldset", {}, el("legend", {}, say("penalty.who")), seats.map((seat) => el("label", { class: "choice" },
        el("input", { type: "radio", name: "number", value: table[seat.toLowerCase()].number, required: true }), el("span", {}, SHAPES[seat], " ", named(table[seat.toLowerCase()]))))),
      penaltyFields(shell),
      el("button", { class: "button strong", type: "submit" }, say("act.penalize"))));
}

const text = (form, name) => String(form.get(name) ?? "").trim();

/** What a penalty's form says. */
export const penaltyBody = (form) => ({ number: text(form, "number"), level: text(form, "level"), category: text(form, "category"), reason: text(form, "reason") });
