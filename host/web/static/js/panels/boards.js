// Boards: what each last said (also of its battery), who is not heard, and what is left to do before they go into the box.

import { button, el } from "../dom.js";
import { language, say } from "../words.js";
import { ofDay } from "../clock.js";
import { field, form, grid, pick, text, whole } from "./parts.js";

const places = () => [field("table", say("table"), { type: "number", min: 1, required: true }), field("device", say("board"), { type: "number", min: 1, required: true }), field("reason", say("reason"))];
const placed = (given) => ({ table: whole(given, "table"), device: whole(given, "device"), reason: text(given, "reason") });

function refused(counts) {
  return Object.entries(counts ?? {}).map(([why, count]) => `${count} × ${say(`refused.${why}`)}`).join(", ");
}

/** The question before a board is revoked, with the table that it stands on. */
function unwanted({ state }, device) {
  const { table } = state.boards?.[device] ?? {};
  return table ? say("sure.revoke_at", { device, table }) : say("sure.revoke", { device });
}

/** The form that hands a board on to another event of this host; null where this one is alone. */
function handOn({ me }) {
  const events = Object.entries(me.beside);
  return events.length ? form("hand_on", say("boards.hand_on"), [places()[1], pick("event", say("boards.to_event"), events), places()[2]], say("act.hand_on"), "") : null;
}

function beaconSwitch(on) {
  return on ? button("beacon", say("act.beacon_off"), { on: "" }) : button("beacon", say("act.beacon_on"), { on: "on" });
}

export const boards = {
  name: "boards",
  render(shell) {
    const { boards: all, event, alarms, beacon } = shell.state;
    const rows = Object.values(all ?? {}).sort((a, b) => a.table - b.table || a.device - b.device);
    return [(alarms ?? []).map((alarm) => el("p", { class: "ask" }, ...(alarm.device === null ? [] : [say("alarm", { device: alarm.device }), " "]), alarm.text[language])),
      beacon && el("div", { class: "row", "data-key": "beacon" }, el("p", { class: "quiet sentence" }, beacon.said[language]), beaconSwitch(beacon.on)),
      grid([["table", "n"], ["board", "n"], ["heard"], ["battery"], ["firmware", "n"], ["journal", "n"], ["refused"], ["act"]], rows.map((board) => [
        board.table || say("spare"), board.listens ? [board.device, " ", el("span", { class: "quiet" }, say("boards.listens"))] : board.device,
        board.heard_ms === null ? say("never") : [ofDay(board.heard_ms, event.origin_unix_ms, true), board.silent ? el("span", { class: "mark need" }, say("mark.silent")) : null],
        say(`battery.${board.battery}`), board.firmware ?? "", `${board.head - board.unarchived}/${board.head}`, refused(board.refused),
        board.table ? button("blink", say("act.blink"), { table: board.table }) : ""])),
      form("swap", say("boards.swap"), places(), say("act.swap"), ""), form("adopt", say("boards.adopt"), places(), say("act.adopt"), ""),
      handOn(shell.wire),
      form("revoke", say("boards.revoke"), places().slice(1), say("act.revoke"), "danger")];
  },
  acts: {
    blink: ({ act }, { table }) => act("blink", { table: Number(table) }),
    beacon: ({ act }, { on }) => (on || confirm(say("sure.beacon"))) && act("beacon", { on: Boolean(on) }),
  },
  forms: {
    swap: ({ act }, given) => act("swap", placed(given)),
    adopt: ({ act }, given) => act("adopt", placed(given)),
    hand_on: ({ act }, given) => act("hand_on", { device: whole(given, "device"), event: text(given, "event"), reason: text(given, "reason") }),
    revoke: ({ act, shell }, given) => confirm(unwanted(shell, text(given, "device"))) && act("revoke", { device: whole(given, "device"), reason: text(given, "reason") }),
  },
};

/** The receipt of a closed event: words and a code for phones, to be hung up with the standings. */
function receipt(told) {
  return told && el("div", { class: "box receipt" }, el("h2", {}, say("packing.receipt")), el("p", { class: "words" }, told.words),
    el("img", { src: told.picture, alt: "" }), el("p", { class: "quiet" }, say("packing.receipt_why")));
}

const LACKS = ["unseen", "unarchived", "waiting", "low"];

export const packing = {
  name: "packing",
  least: "publish",
  path: () => "/api/packing",
  render(shell, told) {
    const all = shell.state.boards ?? {};
    const where = (device) => (all[device]?.table ? `${say("table")} ${all[device].table}` : `${say("board")} ${device}`);
    const one = (key) => el("div", { class: `box ${told[key].length ? "alarm" : ""}` }, el("h2", {}, say(`packing.${key}`), el("span", { class: `count ${told[key].length ? "some" : ""}` }, told[key].length)),
      told[key].length ? el("ul", { class: "row" }, told[key].map((device) => el("li", { class: "mark" }, where(device)))) : el("p", { class: "quiet" }, say("packing.none")));
    const open = told.open.join(", ");
    const checked = told.ready || LACKS.every((key) => !told[key].length);
    return [checked && open ? null : el("p", { class: checked ? "good" : "ask" }, say(checked ? "packing.ready" : "packing.not_ready")), receipt(told.receipt),
      open ? el("p", { class: "ask" }, say("packing.open", { count: told.open.length, tables: open })) : null, LACKS.map(one),
      el("div", { class: "box", "data-key": "close" }, el("h2", {}, say("packing.end")),
        told.closed ? el("p", {}, say("packing.closed", { when: new Date(told.closed.unix_ms).toLocaleString(document.documentElement.lang), by: told.closed.author })) : null,
        told.may_close ? button("close_event", say("act.close_event"), { open }, "danger") : null)];
  },
  acts: {
    close_event: ({ act }, { open }) => confirm(open ? say("sure.close_open", { count: open.split(", ").length, tables: open }) : say("sure.close_event")) && act("close_event", { anyway: Boolean(open) }),
  },
};
