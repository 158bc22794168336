// The whole room: stop, go on, more time for all, and a word on idle boards.

import { button, el } from "../dom.js";
import { reasons } from "../reasons.js";
import { say } from "../words.js";
import { field, form, pick, text, whole } from "./parts.js";

const MESSAGES = [0, 1, 2, 3, 4, 5, 6, 7];

/** How tables stand: a plan laid by hand, else so many in a row. */
function layout(hall) {
  const { rows = [], wide = 0, turning = false } = hall ?? {};
  const plan = rows.map((row) => row.map((place) => String(place || ".").padStart(3)).join("")).join("\n");
  return form("lay_out", say("plan.title"), [
    el("label", { class: "whole" }, el("span", {}, say("plan.rows")), el("textarea", { name: "plan", rows: Math.max(4, Math.min(16, rows.length + 1)), spellcheck: "false", "aria-describedby": "plan-help" }, plan)),
    el("p", { id: "plan-help", class: "quiet whole" }, say("plan.help")),
    field("wide", say("plan.wide"), { type: "number", min: 0, max: 60, value: wide }),
    el("label", { class: "choice" }, el("input", { type: "checkbox", name: "turning", checked: turning }), el("span", {}, say("hall.turning")))], say("act.lay_out"), "");
}

/** The room that stands still, or tables of it: who stopped it and why, and what could not be stopped. */
function standing({ paused, tables }) {
  const still = Object.values(tables).filter((table) => table.frozen_ms !== null && !table.result);
  if (!paused && !still.length) return null;
  const left = paused?.left ?? [];
  return el("div", { class: "box alarm", "data-key": "paused" },
    el("h2", {}, paused ? say("room.paused") : say("room.some", { count: still.length })),
    paused?.by ? el("p", {}, say("room.by", { by: paused.by, reason: paused.reason })) : null,
    left.length ? [el("p", {}, say("room.left")), el("ul", {}, left.map((one) => el("li", { "data-table": one.table }, `${say("table")} ${one.table} – ${say(`standing.${one.why}`)}`)))] : null,
    button("resume_all", say("act.resume_all"), {}, "strong"));
}

/** Whether a table that plays has a board: a clock that can be stopped, or given more time. */
const withBoards = ({ round, tables }) => round !== null && Object.values(tables).some((table) => !table.boardless && !table.result);

/** What can be done with every clock of the round, or why nothing can. */
function clocks(shell) {
  if (!withBoards(shell.state)) return shell.state.round ? el("p", { class: "box", "data-key": "no-clocks" }, say("room.no_clocks")) : null;
  return [
    shell.state.paused ? null : form("pause_all", say("room.pause"), [reasons("pause_all")], say("act.pause_all"), "danger"),
    form("extend_all", say("room.extend"), [field("minutes", say("minutes"), { type: "number", min: 1, max: 120, required: true, value: 5 }), reasons("extend_all")], say("act.extend_all"))];
}

/** What all boards can be told at once. */
function words() {
  return [
    form("say", say("room.say"), [pick("message", say("message"), MESSAGES.map((number) => [number, say(`message.${number}`)])),
      field("minutes", say("next_in"), { type: "number", min: 0, max: 600, value: 0 })], say("act.say")),
    el("div", { class: "box", "data-key": "clear" }, el("h2", {}, say("room.clear")), button("clear", say("act.clear"), {}, "danger"))];
}

/** The judges who have tables of their own. */
function zones({ zones: all }) {
  const found = Object.values(all ?? {});
  return found.length ? el("div", { class: "box", "data-key": "zones" }, el("h2", {}, say("zone.title")), el("ul", {}, found.map((one) => el("li", {}, say("zone.of", one))))) : null;
}

export const room = {
  name: "room",
  render: (shell) => [
    standing(shell.state),
    clocks(shell),
    ...(Object.keys(shell.state.boards ?? {}).length ? words() : []),
    zones(shell.state),
    layout(shell.state.hall)],
  acts: {
    resume_all: ({ act }) => act("resume_all", {}),
    clear: ({ act }) => confirm(say("sure.clear")) && act("clear", {}),
  },
  forms: {
    pause_all: ({ act }, given) => act("pause_all", { reason: text(given, "reason") }),
    extend_all: ({ shell }, given) => shell.asked("extend_all", { minutes: whole(given, "minutes"), reason: text(given, "reason") }),
    lay_out: ({ act }, given) => act("lay_out", { plan: String(given.get("plan") ?? ""), wide: whole(given, "wide") ?? 0, turning: given.has("turning") }),
    say: ({ act }, given) => act("say", { message: whole(given, "message"), minutes: whole(given, "minutes") ?? 0 }),
  },
};
