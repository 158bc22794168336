// The boards' randomizers: for the hall, or for one table.

import { el } from "../dom.js";
import { say } from "../words.js";
import { field, form, grid, text, whole } from "./parts.js";

const BITS = [[1, "luck.allowed"], [2, "luck.informal"], [4, "luck.barred"]];

function words(bits) {
  const found = BITS.filter(([bit]) => bits & bit).map(([, key]) => say(key));
  return found.length ? found.join(" · ") : say("luck.text");
}

export const luck = {
  name: "luck",
  render: (shell) => [
    el("p", { class: "quiet" }, say("luck.help")),
    form("policy", say("luck.set"), [field("table", say("luck.table"), { type: "number", min: 1 }),
      BITS.map(([bit, key]) => el("label", { class: "choice" }, el("input", { type: "checkbox", name: "bit", value: bit }), el("span", {}, say(key)))),
      field("reason", say("reason"))], say("act.policy")),
    grid([["table", "n"], ["luck.now"]], Object.values(shell.state.tables).map((table) => [table.table, words(table.policy ?? 0)]))],
  forms: {
    policy: ({ act }, given) => act("policy", { table: whole(given, "table"), bits: given.getAll("bit").reduce((sum, bit) => sum | Number(bit), 0), reason: text(given, "reason") }),
  },
};
