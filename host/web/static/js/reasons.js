// Why something is done: a field, and below it the usual reasons of that act to be touched.

import { el } from "./dom.js";
import { say } from "./words.js";

const TIME = ["call", "deck", "late", "spill", "repair"];
const RESULT = ["conceded", "no_show", "penalty", "disqualified", "misread"];
const LOSS = ["tardy", "deck_error", "slow", "conduct"]; // in the order of their numbers at the table
const ROOM = ["alarm", "announcement", "venue"];
const USUAL = { extend: TIME, rule: RESULT, reopen: RESULT, result: RESULT, loss: LOSS, pause_all: ROOM, extend_all: [...ROOM, "late"] };

/** The words of a reason by its number at the table, "" for none. */
export function lossReason(number) {
  return LOSS[number - 1] ? say(`reason.${LOSS[number - 1]}`) : "";
}

const SQUADS = { deck: "squad", deck_error: "squad_error" }; // where ships are played, no cards

/** The reason of the act `key`; `value` stands in the field to begin with; `ships` where no decks are played. */
export function reasons(key, value = null, ships = false) {
  return el("div", { class: "reason", "data-key": `reason-${key}` },
    el("label", {}, el("span", {}, say("reason")), el("input", { name: "reason", maxlength: 200, required: true, autocomplete: "off", value })),
    el("div", { class: "chips small", role: "group", "aria-label": say("reasons") }, (USUAL[key] ?? TIME).map((one) =>
      el("button", { type: "button", class: "chip", "data-act": "reason" }, say(`reason.${(ships && SQUADS[one]) || one}`)))));
}

export const REASON_ACTS = {
  reason: (_, __, node) => { node.closest(".reason").querySelector("input").value = node.textContent; },
};
