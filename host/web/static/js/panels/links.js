// Personal links: who may do what, as a QR code for a phone.

import { button, el } from "../dom.js";
import { wallOf, wallsFor } from "../wallseats.js";
import { say } from "../words.js";
import { field, form, grid, pick, text } from "./parts.js";

const ROLES = ["viewer", "judge", "head", "organiser"];

/** Where each wall is opened: as many as show everybody's seat within a minute. */
function walls({ round, tables, byes }) {
  if (!round) return null;
  const seats = (player) => player?.members?.length ?? 1; // a team is listed by its members
  const players = Object.values(tables).reduce((sum, { a, b }) => sum + seats(a) + seats(b), (byes ?? []).length);
  const many = wallsFor(players);
  return el("div", { class: "box", "data-key": "walls" }, el("h2", {}, say("links.walls")),
    el("p", {}, say("links.walls_for", { count: many, players })),
    el("ol", { class: "walls" }, Array.from({ length: many }, (_, at) => el("li", {}, el("code", {}, `${location.origin}${wallOf(at + 1, many)}`)))),
    el("p", { class: "quiet" }, say("links.walls_help")));
}

export const links = {
  name: "links",
  least: "make_link",
  path: () => "/api/links",
  render: ({ state }, told, desk) => [
    form("make_link", say("links.make"), [pick("role", say("role"), ROLES.map((role) => [role, say(`role.${role}`)]), "judge"), field("name", say("name"), { required: true, maxlength: 40 })], say("act.make_link")),
    desk.link ? el("div", { class: "box link", "data-key": "link" }, desk.link.qr ? el("img", { src: desk.link.qr, alt: say("links.qr"), width: 240, height: 240 }) : null, el("code", {}, desk.link.url), ...desk.link.also.map((url) => el("p", {}, say("links.elsewhere"), " ", el("code", {}, url))), el("p", {}, say("links.overlay"), " ", el("code", {}, `${desk.link.url}/overlay/7`)), desk.link.qr ? null : el("p", { class: "ask" }, say("links.only_here")), el("p", { class: "ask" }, say("links.once"))) : null,
    grid([["role"], ["name"], ["state"], ["act"]], told.links.map((link) => [say(`role.${link.role}`), el("bdi", { class: "name" }, link.name), say(link.revoked ? "links.revoked" : "links.active"),
      link.revoked ? "" : button("revoke_link", say("act.revoke_link"), { id: link.id, name: link.name, role: link.role })])),
    walls(state)],
  acts: {
    revoke_link: ({ act, desk, shell }, { id, name, role }) => {
      const own = Number(id) === shell.wire.me.id;
      if (!confirm(own ? say("sure.own_link") : say("sure.link", { name, role: say(`role.${role}`) }))) return null;
      desk.link = null;
      return act("revoke_link", { id: Number(id) });
    },
  },
  forms: {
    make_link: async ({ act, desk, shell }, given) => {
      desk.link = await act("make_link", { role: given.get("role"), name: text(given, "name") });
      shell.draw();
    },
  },
};
