// People: entered at any time, dropped and back by number or name, renamed.

import { button, el } from "../dom.js";
import { holds } from "../find.js";
import { say } from "../words.js";
import { STEP, field, form, grid, pick, text } from "./parts.js";

/** Once an act is done its fields are empty, for the next person. */
async function emptied(node, doing) {
  if (!(await doing)) return;
  node.reset();
  node.elements.number.focus();
}
const both = (given) => ({ number: text(given, "number"), name: text(given, "name") });
const who = (one) => el("option", { value: one.number }, one.name);

const listed = { told: null };

/** The names to choose from; those that stand there unchanged are only named: there may be thousands. */
function names(told) {
  const attributes = { id: "people-names", "data-key": "people-names" };
  if (listed.told === told && document.getElementById(attributes.id)) return el("datalist", { ...attributes, "data-same": true });
  listed.told = told;
  return el("datalist", attributes, told.people.filter((one) => !one.dropped).map(who));
}

/** What rounds that somebody missed count as. */
const counts = (chosen) => pick("missed", say("missed.counts"), ["nothing", "loss", "bye"].map((one) => [one, say(`missed.${one}`)]), chosen);
const begun = (shell) => Boolean(shell.state.round) && shell.state.round.state !== "draft";

/** Rounds played, then those that count without a match. */
function played({ rounds, missed }) {
  const without = Object.entries(missed ?? {}).map(([number, counted]) => `${number}: ${say(counted === "bye" ? "bye" : "missed.lost")}`);
  return [rounds.join(" "), ...without].filter(Boolean).join(" · ");
}

/** Drop somebody: the host asks, with the name and the table. */
async function dropped({ shell, load }, body) {
  const told = await shell.asked("drop", body);
  if (told) load();
  return told;
}

/** The lines that are drawn so far, and what asks for more of them. */
function drawn(all, { most }) {
  return [table(all.slice(0, most)), all.length > most ? button("more", say("tables.rest", { count: all.length - most }), {}, "rest") : null];
}

function table(all) {
  const squads = all.some((one) => one.squads) ? [["squads"]] : [];
  return grid([["number", "n"], ["name"], ["rounds"], ["state"], ...squads, ["act"]], all.map((one) => [
    one.number, el("bdi", { class: "name" }, one.name), played(one), one.dropped ? say("people.dropped") : one.late ? say("people.entered_late") : "",
    ...squads.map(() => el("bdi", {}, one.squads)),
    one.dropped ? button("undrop", say("act.undrop"), { number: one.number }) : button("drop", say("act.drop"), { number: one.number })]));
}

export const people = {
  name: "people",
  least: "add_player",
  path: () => "/api/people",
  render: (shell, told, desk) => [
    form("add_player", say("people.add"), [field("number", say("people.number"), { maxlength: 20 }), field("name", say("name"), { required: true, maxlength: 60 }), begun(shell) ? counts("nothing") : null], say("act.add_player")),
    form("drop", say("people.drop"), [field("number", say("people.who"), { required: true, maxlength: 60, list: "people-names" }), field("reason", say("reason"), { maxlength: 200 }),
      names(told)], say("act.drop"), ""),
    begun(shell) ? form("count_missed", say("missed.title"), [field("number", say("people.who"), { required: true, maxlength: 60, list: "people-names" }), counts("loss")], say("act.count_missed"), "") : null,
    form("rename", say("people.rename"), [field("number", say("number"), { required: true, maxlength: 20 }), field("name", say("name"), { required: true, maxlength: 60 })], say("act.rename"), ""),
    el("label", { class: "search", "data-key": "sought" }, el("span", {}, say("people.search")), el("input", { type: "search", "data-on": "people_sought", autocomplete: "off" })),
    drawn(told.people.filter((one) => holds([one.name, one.number], desk.chosen.sought ?? "")), desk)],
  acts: {
    drop: (panel, { number }) => dropped(panel, { number }),
    undrop: ({ act }, { number }) => act("undrop", { number }),
    people_sought: ({ shell, desk }, _, node) => { desk.chosen.sought = node.value; desk.most = STEP; shell.draw(); },
  },
  forms: {
    add_player: ({ act }, given, node) => emptied(node, act("add_player", { ...both(given), missed: text(given, "missed") || "nothing" })),
    count_missed: ({ act }, given, node) => emptied(node, act("count_missed", { number: text(given, "number"), missed: text(given, "missed") })),
    drop: (panel, given, node) => emptied(node, dropped(panel, { number: text(given, "number"), reason: text(given, "reason") })),
    rename: ({ act }, given, node) => emptied(node, act("rename", both(given))),
  },
};
