// People: added by hand, entered late, dropped, renamed.

import { button, el } from "../dom.js";
import { say } from "../words.js";
import { field, form, grid, text } from "./parts.js";

const whom = () => [field("number", say("number"), { required: true, maxlength: 20 }), field("name", say("name"), { required: true, maxlength: 80 })];
/** Once an act is done its fields are empty, for the next person. */
async function emptied(node, doing) {
  if (!(await doing)) return;
  node.reset();
  node.elements.number.focus();
}
const both = (given) => ({ number: text(given, "number"), name: text(given, "name") });

export const people = {
  name: "people",
  least: "add_player",
  path: () => "/api/people",
  render: (_, told) => [
    form("add_player", say("people.add"), whom(), say("act.add_player")),
    form("late_entry", say("people.late"), whom(), say("act.late_entry"), ""),
    form("rename", say("people.rename"), whom(), say("act.rename"), ""),
    grid([["number", "n"], ["name"], ["rounds"], ["state"], ["act"]], told.people.map((one) => [
      one.number, el("bdi", { class: "name" }, one.name), one.rounds.join(" "), one.dropped ? say("people.dropped") : one.late ? say("people.entered_late") : "",
      one.dropped ? button("undrop", say("act.undrop"), { number: one.number }) : button("drop", say("act.drop"), { number: one.number })]))],
  acts: {
    drop: ({ act }, { number }) => confirm(say("sure.drop", { number })) && act("drop", { number }),
    undrop: ({ act }, { number }) => act("undrop", { number }),
  },
  forms: {
    add_player: ({ act }, given, node) => emptied(node, act("add_player", both(given))),
    late_entry: ({ act }, given, node) => emptied(node, act("late_entry", both(given))),
    rename: ({ act }, given, node) => emptied(node, act("rename", both(given))),
  },
};
