// Boards: what each last said, who is not heard, and what is left to do before they go into the box.

import { button, el } from "../dom.js";
import { say } from "../words.js";
import { ofDay } from "../clock.js";
import { grid } from "./parts.js";

function refused(counts) {
  return Object.entries(counts ?? {}).map(([why, count]) => `${count} × ${why}`).join(", ");
}

export const boards = {
  name: "boards",
  render(shell) {
    const { boards: all, event, alarms } = shell.state;
    const rows = Object.values(all ?? {}).sort((a, b) => a.table - b.table || a.device - b.device);
    return [(alarms ?? []).map((alarm) => el("p", { class: "ask" }, say("alarm", { device: alarm.device }), " ", alarm.text)),
      grid([["table", "n"], ["board", "n"], ["heard"], ["battery"], ["firmware", "n"], ["journal", "n"], ["refused"], ["act"]], rows.map((board) => [
        board.table || say("spare"), board.device,
        board.heard_ms === null ? say("never") : [ofDay(board.heard_ms, event.origin_unix_ms, true), board.silent ? el("span", { class: "mark need" }, say("mark.silent")) : null],
        say(`battery.${board.battery}`), board.firmware ?? "", `${board.head - board.unarchived}/${board.head}`, refused(board.refused),
        board.table ? button("blink", say("act.blink"), { table: board.table }) : ""]))];
  },
  acts: { blink: ({ act }, { table }) => act("blink", { table: Number(table) }) },
};

export const packing = {
  name: "packing",
  path: () => "/api/packing",
  render(shell, told) {
    const all = shell.state.boards ?? {};
    const where = (device) => (all[device]?.table ? `${say("table")} ${all[device].table}` : `${say("board")} ${device}`);
    const one = (key) => el("div", { class: `box ${told[key].length ? "alarm" : ""}` }, el("h2", {}, say(`packing.${key}`), el("span", { class: `count ${told[key].length ? "some" : ""}` }, told[key].length)),
      told[key].length ? el("ul", { class: "row" }, told[key].map((device) => el("li", { class: "mark" }, where(device)))) : el("p", { class: "quiet" }, say("packing.none")));
    return [el("p", { class: told.ready ? "good" : "ask" }, say(told.ready ? "packing.ready" : "packing.not_ready")), ["unseen", "unarchived", "waiting", "low"].map(one)];
  },
};
