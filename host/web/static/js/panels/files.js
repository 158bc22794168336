// Files: read one, see what it would change, take it; and everything that an organiser takes home.

import { here } from "../base.js";
import { button, el } from "../dom.js";
import { language, say } from "../words.js";
import { pick } from "./parts.js";

const PAPER = ["names", "pairings", "slips", "pods", "outstanding", "incidents", "commitments"];
const ENDINGS = ".tdf,.json,.csv,.txt,.tsv";
const MOST_BYTES = 8000000; // as host/formats/tom_xml.py
const PODS = ["0", "1", "2", "8", "9", "10"];

const reading = { name: "", content: null, answers: {}, told: null, refused: "" }; // the file that is shown now

/** A file's bytes as text (base 64), null where they cannot be read any more. */
export function contentOf(file) {
  return new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => done(null);
    reader.readAsDataURL(file);
  });
}

/** Show what a file would change. */
export async function chosen({ shell, load, desk }, file) {
  Object.assign(reading, { name: file.name, content: null, answers: {}, told: null, refused: "" });
  if (file.size > MOST_BYTES) reading.refused = say("file.large");
  else {
    reading.content = await contentOf(file);
    if (reading.content === null) reading.refused = say("file.unread");
  }
  if (reading.content === null) shell.draw();
  else await asked({ shell, load, desk });
}

/** Ask what the file changes; with `agreed` it is taken, if that is what was shown. */
async function asked({ shell, load, desk }, agreed = "") {
  const { name, content, answers } = reading;
  const body = { file: { name, content: content || "" }, agreed, ...(desk.chosen.pod ? { pod: desk.chosen.pod } : {}), ...answers };
  const told = await shell.wire.act("read_file", body);
  if (reading.content !== content) return; // another one was chosen meanwhile
  reading.refused = "";
  if (told.error !== undefined) Object.assign(reading, { told: null, refused: told.error ?? say(told.unsent ? "not_sent" : "not_answered") });
  else if (!told.ask) Object.assign(reading, { told: { ...told, again: agreed !== "" && !told.taken }, content: told.taken ? null : content });
  else if (confirm(told.ask)) {
    Object.assign(reading.answers, told.answer);
    await asked({ shell, load, desk }, agreed);
    return;
  }
  shell.draw();
  if (told.taken || told.changed === false) load();
}

function group({ kind, said }) {
  return el("section", { class: `change c-${kind}` }, el("h3", {}, say(`file.${kind}`)), el("ul", {}, said.map((one) => el("li", {}, one.charAt(0).toUpperCase() + one.slice(1)))));
}

/** What follows naturally: the round that came with the file is published. */
function next(shell, told) {
  const draft = shell.state.rounds?.[told.round]?.state === "draft";
  return el("div", { class: "row" }, draft && shell.may("publish") ? button("publish", say("act.publish", { round: told.round }), { round: told.round }, "strong") : null,
    button("read_file", say("close"), { step: "away" }));
}

function shown(shell) {
  const { told, refused, name } = reading;
  if (refused) return el("article", { class: "box file", "data-key": "file", role: "alert" }, el("h2", {}, el("bdi", {}, name)), el("p", { class: "bad" }, refused.charAt(0).toUpperCase() + refused.slice(1)), button("read_file", say("close"), { step: "away" }));
  if (!told) return null;
  const title = told.taken ? "file.taken" : told.changed ? "file.shown" : "file.same";
  return el("article", { class: "box file", "data-key": "file", role: "status" }, el("h2", {}, say(title, { file: told.file })),
    told.again ? el("p", { class: "ask" }, say("file.again")) : null, told.changes.map(group),
    told.taken || !told.changed ? next(shell, told) : el("div", { class: "row" }, button("read_file", say("act.take_file"), { step: "take" }, "strong"), button("read_file", say("act.leave_file"), { step: "away" })));
}

function choosing(desk) {
  return el("div", { class: "box", "data-key": "choosing" }, el("h2", {}, say("file.title")),
    el("label", { class: "button strong picked" }, el("span", {}, say("act.read_file")), el("input", { type: "file", accept: ENDINGS, "data-on": "choose_file" })),
    el("p", { class: "quiet" }, say("file.help")),
    el("details", { "data-key": "pod" }, el("summary", {}, say("file.pods")),
      el("div", { class: "row" }, pick("pod", say("file.pod"), [["", say("file.pod.all")], ...PODS.map((pod) => [pod, say(`file.pod.${pod}`)])], desk.chosen.pod ?? "", { "data-on": "choose_pod" }))));
}

function toms(told) {
  if (!told?.tom) return el("li", {}, el("span", { class: "quiet" }, say("file.no_tom")));
  const { file, said } = told.tom;
  return el("li", { "data-key": "tom" }, file ? el("a", { class: "button strong", href: here("/api/export/tdf"), download: true }, say("export.tdf")) : null,
    el("div", {}, file ? el("p", { class: "quiet" }, say("export.tdf.for", { file })) : null, said.map((one) => el("p", {}, one.charAt(0).toUpperCase() + one.slice(1)))));
}

/** Everything that an organiser takes home, once there is a round. */
function home(shell, told) {
  return [el("h2", {}, say("file.home")),
    el("ul", { class: "files" }, toms(told), shell.wire.me.exports.map((form) => el("li", {}, el("a", { class: "button", href: here(`/api/export/${form}`), download: true }, say(`export.${form}`)), el("span", { class: "quiet" }, say(`export.${form}.for`))))),
    el("h2", {}, say("paper.title")),
    el("div", { class: "row" }, PAPER.map((kind) => el("a", { class: "button", href: here(`/api/paper/${kind}?${new URLSearchParams({ language })}`), target: "_blank", rel: "noopener" }, say(`paper.${kind}`))))];
}

export const files = {
  name: "files",
  least: "read_file",
  path: () => "/api/files",
  optional: true, // the other files need nothing read
  render: (shell, told, desk) => [choosing(desk), shown(shell), Object.keys(shell.state.rounds).length ? home(shell, told) : null],
  acts: {
    read_file: (panel, { step }) => {
      if (step === "take") return asked(panel, reading.told.digest);
      if (step === "away") Object.assign(reading, { content: null, told: null, refused: "" });
      panel.shell.draw();
      return undefined;
    },
    choose_file: (panel, _, node) => {
      const [file] = node.files;
      if (!file) return undefined; // the second of the browser's two events
      node.value = "";
      return chosen(panel, file);
    },
    choose_pod: (panel, _, node) => {
      panel.desk.chosen.pod = node.value;
      return reading.content === null ? undefined : asked(panel);
    },
  },
};
