// The register of penalties: every penalty of the event, the last first; one for a player at no table is given here.

import { ofDay } from "../clock.js";
import { button, el } from "../dom.js";
import { penaltiesOf, penaltyBody, penaltyFields, penaltyWords } from "../penalty.js";
import { say } from "../words.js";
import { field, form, grid } from "./parts.js";

export const penalties = {
  name: "penalties",
  least: "penalize",
  render: (shell) => {
    const all = penaltiesOf(shell);
    return [
      form("penalize", say("act.penalize"), [field("number", say("people.who"), { required: true, maxlength: 60 }), penaltyFields(shell)], say("act.penalize")),
      all.length ? grid([["time"], ["round", "n"], ["table", "n"], ["player"], ["what"], ["why"], ["who"], ["act"]], all.map((one) => [
        ofDay(one.at_ms, shell.state.event.origin_unix_ms, true), one.round || "", one.table || "",
        [el("bdi", { class: "name" }, one.name), " ", el("small", {}, one.player)], penaltyWords(one.level, one.category), el("bdi", {}, one.reason), el("bdi", {}, one.by),
        button("withdraw_penalty", say("act.withdraw_penalty"), { id: one.id })])) : el("p", { class: "quiet" }, say("penalties.none"))];
  },
  acts: { withdraw_penalty: ({ act }, { id }) => act("withdraw_penalty", { id: Number(id) }) },
  forms: {
    penalize: async ({ act }, given, node) => { if (await act("penalize", penaltyBody(given))) node.reset(); },
  },
};
