// Acts that a page draws from the host's table of acts (host/desk/acts): a button, or a form of the act's fields.

import { button, el } from "./dom.js";
import { say } from "./words.js";

const INPUTS = { whole: "number", minutes: "number" };

/** The buttons and forms of the acts of one part of a page; `fixed` are the values that the page knows, as the table, and `offers` what its board would take. */
export function actForms(shell, part, fixed = {}, offers = []) {
  const found = shell.wire.me.buttons.filter((one) => one.part === part && (!one.judged || offers.includes(one.act)));
  const asked = ({ fields }) => fields.filter(({ name }) => !(name in fixed));
  const plain = found.filter((one) => !asked(one).some(({ required }) => required));
  return [
    plain.length ? el("div", { class: "row" }, plain.map(({ act, label }) => button(act, capital(label), fixed))) : null,
    found.filter((one) => !plain.includes(one)).map((one) => el("form", { class: "box", "data-form": "command", "data-act-name": one.act, "data-table": fixed.table ?? null, "data-key": one.act },
      el("h2", {}, capital(one.label)),
      el("div", { class: "row" }, asked(one).map(input), el("button", { class: "button", type: "submit" }, say("act.policy")))))];
}

function input({ name, label, kind, least, most, words, required }) {
  if (kind === "yes") return el("label", { class: "choice" }, el("input", { type: "checkbox", name }), el("span", {}, capital(label)));
  const control = kind === "choice" ? el("select", { name }, words.map((word) => el("option", { value: word }, word)))
    : el("input", kind in INPUTS ? { name, type: INPUTS[kind], min: least, max: most, required } : { name, maxlength: most, required, autocomplete: "off" });
  return el("label", { class: kind in INPUTS ? "few" : "" }, el("span", {}, capital(label)), control);
}

/** Do the act of such a button, or of a form with what was `given` there. */
export function command(shell, { act, table }, given = new FormData()) {
  const { fields } = shell.wire.me.buttons.find((one) => one.act === act);
  const body = Object.fromEntries(fields.filter(({ name }) => given.has(name) && given.get(name) !== "").map(({ name, kind }) =>
    [name, kind in INPUTS ? Number(given.get(name)) : kind === "yes" ? true : String(given.get(name)).trim()]));
  return shell.asked(act, table === undefined ? body : { table: Number(table), ...body });
}

const capital = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
