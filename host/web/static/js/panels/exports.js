// What organisers take home.

import { el } from "../dom.js";
import { language, say } from "../words.js";

const PAPER = ["names", "pairings", "slips", "pods", "outstanding", "incidents", "commitments"];

export const exports = {
  name: "exports",
  least: "publish",
  render: (shell) => [
    el("ul", { class: "files" }, shell.wire.me.exports.map((form) => el("li", {}, el("a", { class: "button", href: `/api/export/${form}`, download: true }, say(`export.${form}`)), el("span", { class: "quiet" }, say(`export.${form}.for`))))),
    el("h2", {}, say("paper.title")),
    el("div", { class: "row" }, PAPER.map((kind) => el("a", { class: "button", href: `/api/paper/${kind}?${new URLSearchParams({ language })}`, target: "_blank", rel: "noopener" }, say(`paper.${kind}`)))),
    el("p", { class: "quiet" }, say("export.tdf"), " ", el("code", {}, "plusthree export --format tdf --tdf FILE"))],
};
