// The boards' randomizers: for the hall, or for one table.

import { el } from "../dom.js";
import { say } from "../words.js";
import { field, form, grid, text, whole } from "./parts.js";

const BITS = [[1, "luck.allowed"], [2, "luck.informal"], [4, "luck.barred"]];

const CHOICES = [[0, "luck.text"], [1, "luck.allowed"], [3, "luck.informal"], [4, "luck.barred"]]; // one of them, never two

function words(bits) {
  const found = BITS.filter(([bit]) => bits & bit).map(([, key]) => say(key));
  return found.length ? found.join(" · ") : say("luck.text");
}

export const luck = {
  name: "luck",
  render: (shell) => [
    el("p", { class: "quiet" }, say("luck.help")),
    form("policy", say("luck.set"), [field("table", say("luck.table"), { type: "number", min: 1 }),
      el("fieldset", { class: "whole" }, el("legend", {}, say("luck.offered")), CHOICES.map(([bits, key]) =>
        el("label", { class: "choice" }, el("input", { type: "radio", name: "bits", value: bits, required: true }), el("span", {}, say(key))))),
      field("reason", say("reason"))], say("act.policy")),
    grid([["table", "n"], ["luck.now"]], Object.values(shell.state.tables).map((table) => [table.table, words(table.policy ?? 0)]))],
  forms: {
    policy: ({ act }, given) => act("policy", { table: whole(given, "table"), bits: whole(given, "bits"), reason: text(given, "reason") }),
  },
};
