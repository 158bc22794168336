// Deck checks: who is next, away from tables near their time, and never a word of it on a board.

import { button, el } from "../dom.js";
import { say } from "../words.js";
import { form, grid, pick } from "./parts.js";

export const checks = {
  name: "checks",
  path: () => "/api/checks",
  render: (shell, { plan, players, done, lists }) => [
    el("p", { class: "facts" }, el("b", {}, plan.checked), ` ${say("checks.of")} `, el("b", {}, plan.needed), ` ${say("checks.done")}`),
    el("p", {}, say("checks.seen_by"), " ", lists.seen_by.map((one) => say(`lists.${one}`)).join(", "), ". ", say(lists.may_change ? "checks.may_change" : "checks.no_change")),
    plan.mandatory ? el("p", { class: "ask" }, say("checks.mandatory")) : null,
    shell.may("plan_checks") ? form("plan_checks", say("checks.plan"), [pick("premier", say("checks.kind"), [["", say("checks.usual")], ["1", say("checks.premier")]])], say("act.plan_checks"), "") : null,
    grid([["table", "n"], ["player"], ["number", "n"], ["state"], ["act"]], players.map((one) => [
      one.table ?? "", el("bdi", { class: "name" }, one.name), one.number, one.now ? el("b", { class: "mark need" }, say("checks.now")) : reason(one.avoid),
      button("checked", say("act.checked"), { number: one.number })])),
    done?.length ? el("p", {}, say("checks.done"), ": ", done.map((one, at) => [at ? " · " : "", el("bdi", { class: "name" }, one.name)])) : null],
  acts: { checked: ({ act }, { number }) => act("checked", { player: number }) },
  forms: { plan_checks: ({ act }, given) => act("plan_checks", { premier: given.get("premier") === "1" }) },
};

function reason(avoid) {
  return avoid ? say(`avoid.${avoid}`) : "";
}
