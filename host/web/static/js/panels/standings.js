// Standings: by the text's own rule, or by the dated rule pack that the organiser has chosen for the event.

import { bracket } from "../bracket.js";
import { button, el } from "../dom.js";
import { known, say } from "../words.js";
import { grid, pick, pickRound } from "./parts.js";

/** A name; of a team also its members and home. */
function named({ name, team, dropped }) {
  const said = [el("bdi", { class: "name" }, name), dropped ? el("small", {}, ` ${say("people.dropped")}`) : null];
  return team ? [...said, el("small", { class: "team" }, el("bdi", {}, team.members.join(", ")), el("bdi", {}, team.home))] : said;
}

const ranks = (heads, lines, cut) => grid(heads, lines.map((line) => [line.place, named(line), line.number, line.tally.join("–"), ...(cut ? [line.swiss ?? ""] : []), ...line.values]));

/** Which standings players see, and the buttons that publish and withdraw them. */
function seen(shell, told) {
  const round = shell.state.standings;
  const other = told.after !== null && told.after !== round && told.lines?.length && (!told.open.length || told.bracket);
  return el("div", { class: "row seen", "data-key": "seen" }, el("p", { class: "sentence" }, round ? say("standings.seen", { number: round }) : say("standings.unseen")),
    shell.may("publish_standings") && other ? button("publish_standings", say("act.publish_standings", { number: told.after }), { round: told.after }, "strong") : null,
    shell.may("withdraw_standings") && round ? button("withdraw_standings", say("act.withdraw_standings")) : null);
}

export const standings = {
  name: "standings",
  path: (chosen) => `/api/standings?${new URLSearchParams(Object.entries({ round: chosen.round }).filter(([, value]) => value))}`,
  render(shell, told, desk) {
    const packs = [["", say("pack.none")], ...(told.packs ?? []).map((name) => [name, name])];
    const columns = (told.columns ?? []).map((name) => [known(`column.${name}`) ? `column.${name}` : name, "n"]);
    const heads = (cut) => [["rank", "n"], ["player"], ["number", "n"], ["tally", "n"], ...(cut ? [["column.swiss", "n"]] : []), ...columns];
    return [el("div", { class: "row" }, shell.may("choose_pack") && told.packs?.length ? pick("pack", say("pack"), packs, told.pack ?? "", { "data-on": "choose_pack" }) : null, pickRound(shell, desk, told.after)),
      seen(shell, told),
      told.left_out ? el("p", { class: "quiet" }, told.left_out) : null,
      told.ask ? el("p", { class: "ask" }, told.ask) : !told.lines?.length ? null : el("p", { class: "quiet" }, say("pack.by"), " ", el("bdi", {}, told.source ?? "")),
      told.open?.length ? el("p", { class: "ask" }, say("still_open", { count: told.open.length, tables: told.open.join(", ") })) : null,
      told.differs?.length ? el("section", { class: "ask" }, el("p", {}, say("file_differs")), el("ul", {}, told.differs.map((line) => el("li", {}, line)))) : null,
      told.ruled?.length ? el("ul", { class: "ask" }, told.ruled.map((line) => el("li", {}, line))) : null,
      told.shared?.length ? el("p", { class: "ask" }, say("shared")) : null,
      bracket(told.bracket),
      told.notes?.length ? el("ul", { class: "ask" }, told.notes.map((line) => el("li", {}, line))) : null,
      told.top?.length && told.bracket ? ranks(heads(true), told.top, true) : null,
      ...(told.pods ?? []).map((lines, at) => el("section", {}, el("h3", {}, say("pod", { number: at + 1 })), ranks(heads(), lines))),
      told.lines?.length && !told.pods?.length ? ranks(heads(told.bracket), told.lines, told.bracket) : null];
  },
  acts: {
    choose_pack: ({ act }, _, node) => act("choose_pack", { pack: node.value }),
    publish_standings: ({ act }, { round }) => act("publish_standings", { round: Number(round) }),
    withdraw_standings: ({ act }) => act("withdraw_standings", {}),
  },
};
