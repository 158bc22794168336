// Rounds: drafted, looked through, published, and started by an act of its own.

import { ofDay } from "../clock.js";
import { button, el } from "../dom.js";
import { say } from "../words.js";
import { draftActs, draftForms, draftList, draftTaps, keptTables } from "./draft.js";
import { field, form, formatWords, grid, naming, pick, renames, text, whole } from "./parts.js";

const STEPS = ["draft", "published", "seated", "running", "closed"];

function steps(round) {
  const at = STEPS.indexOf(round.state);
  return el("ol", { class: "steps", "aria-label": say("round_state", { number: round.number, state: say(`round.${round.state}`) }) }, STEPS.map((step, index) =>
    el("li", { class: index < at ? "past" : index === at ? "now" : "", "aria-current": index === at ? "step" : null },
      say(`round.${step}`), step === "seated" && at <= 2 && at > 0 ? ` ${round.seated}/${round.tables}` : null, step === "running" && at >= 3 ? ` ${round.results}/${round.tables}` : null)));
}

function next(round, now) {
  if (round.state === "draft") {
    return el("div", { class: "row" }, button("publish", say("act.publish", { round: round.number }), { round: round.number }, "strong"),
      button("untimed", say("act.untimed"), { round: round.number }), button("drop_draft", say("act.drop_draft"), { round: round.number }, "danger"));
  }
  if ((round.state === "published" || round.state === "seated") && !round.start_ms) {
    return form("start", say("start.title"), [field("minutes", say("start.in"), { type: "number", min: 0, max: 600, value: 3 })], say("act.start", { round: round.number }));
  }
  if (round.start_ms && round.state !== "closed" && round.start_ms > now) {
    return form("start", say("start.change"), [field("minutes", say("start.in"), { type: "number", min: 0, max: 600, value: 3 })], say("act.restart"), "");
  }
  return null;
}

/** The pods that are drawn for the round, each player at the seat of the circle. */
function circles(found) {
  if (!found?.length) return null;
  return el("details", { open: true, "data-key": "pods" }, el("summary", {}, say("round.pods")),
    el("div", { class: "pods" }, found.map((circle, at) => el("section", {}, el("h3", {}, say("pod", { number: at + 1 })),
      el("ol", {}, circle.map((player) => el("li", {}, el("bdi", { class: "name" }, player.name), " ", el("small", {}, player.number))))))));
}

/** A board may conduct a pod's draft, until the round is published there; of a Sealed event, deck building at all of them. */
function conducting(round, told) {
  const pods = told?.pods?.[round.number];
  if (round.state !== "draft" || !(pods?.length || told?.drafts && round.number === 1)) return null;
  const steps = (words) => pick("step", say("conduct.step"), words.map((step) => [step, say(`conduct.${step}`)]));
  if (!pods?.length) return form("conduct", say("conduct.build"), [steps(["build", "end"])], say("act.conduct"), "");
  return form("conduct", say("conduct.title"), [
    steps(["draw", "build", "end"]),
    field("table", say("table"), { type: "number", min: 1, required: true }),
    pick("pod", say("conduct.pod"), pods.map((_, at) => [at + 1, say("pod", { number: at + 1 })])),
    field("packs", say("conduct.packs"), { type: "number", min: 1, max: 15, value: 3 }),
    field("seconds", say("conduct.seconds"), { type: "number", min: 1, max: 60, value: 4 })], say("act.conduct"), "");
}

const kinds = (none) => [["", say(none)], ...["rochester", "booster"].map((kind) => [kind, say(`pods.${kind}`)])];

/** Before round 1 is published its players may be drawn into pods. */
function drawing(round, told) {
  if (!told?.drafts || round.state !== "draft" || round.number !== 1) return null;
  return form("draw_pods", say("pods.title"), [pick("kind", say("pods.kind"), kinds("pods.none"), told.pods?.[1]?.length ? null : "rochester")], say("act.draw_pods"), "");
}

function one(shell, desk, round, told) {
  return el("article", { class: "box round", "data-key": `round${round.number}` },
    el("h2", {}, say("round_number", { number: round.number }), " ", el("small", {}, formatWords(round))),
    steps(round),
    round.start_ms ? el("p", {}, say(round.start_ms > shell.now ? "starts_at" : "started_at", { time: ofDay(round.start_ms, shell.state.event.origin_unix_ms, true) })) : null,
    next(round, shell.now), drawing(round, told), circles(told?.pods?.[round.number]), conducting(round, told), draftList(shell, desk, round.number, told));
}

/** The rules by which the event ranks and pairs, where its text leaves that open: one choice for all rounds. */
function choosing(told) {
  if (!told?.packs?.length) return null;
  return form("choose_pack", say("pack"), [pick("pack", say("pack.of_event"), [["", say("pack.none")], ...told.packs.map((name) => [name, name])], told.pack)], say("act.choose_pack"), "");
}

function drafting(told) {
  return form("draft", say("draft.title"), [
    pick("cut", say("draft.cut"), [["", say("draft.no_cut")], ...[2, 4, 8, 16, 32, 64].map((count) => [count, count])]),
    told?.drafts ? pick("pods", say("pods.again"), kinds("pods.same")) : null,
    field("through", say("draft.through"), { maxlength: 600 }),
    field("bye", say("draft.bye"), { maxlength: 32 }),
    field("minutes", say("minutes"), { type: "number", min: 1, max: 900 })], say("act.draft"));
}

function changing(shell, told) {
  const numbers = Object.keys(told?.open ?? {});
  const chosen = numbers.at(-1) ?? shell.state.round.number;
  return el("details", { class: "box", "data-key": "changing" }, el("summary", {}, say("round.change")),
    form("length", null, [field("round", say("round"), { type: "number", min: 1, required: true, value: chosen }), field("minutes", say("minutes"), { type: "number", min: 1, max: 900, required: true }),
      field("reason", say("reason"), { required: true })], say("act.length"), ""), naming(shell));
}

export const rounds = {
  name: "rounds",
  path: () => "/api/rounds",
  taps: draftTaps,
  optional: true, // it tells the packs, and who meets whom
  render(shell, told, desk) {
    const { round, rounds: all } = shell.state;
    if (!round) return [el("p", { class: "quiet" }, say("no_round"))];
    const drafts = Object.values(all).filter((other) => other.state === "draft" && other.number !== round.number);
    return [told?.unread ? el("p", { class: "ask", "data-key": "unread" }, told.unread) : null, one(shell, desk, round, told), drafts.map((other) => one(shell, desk, other, told)), drafts.length || round.state === "draft" ? null : drafting(told), choosing(told), keptTables(shell, told), changing(shell, told),
      grid([["round", "n"], ["format"], ["state"], ["results", "n"]], Object.values(all).map((other) =>
        [other.number, formatWords(other), say(`round.${other.state}`), `${other.results}/${other.tables}`]))];
  },
  acts: {
    publish: ({ shell, load }, { round }) => shell.asked("publish", { round: Number(round) }).then(load),
    untimed: ({ act }, { round }) => act("untimed", { round: Number(round) }),
    drop_draft: ({ act }, { round }) => confirm(say("sure.drop_draft", { round })) && act("drop_draft", { round: Number(round) }),
    ...draftActs,
  },
  forms: {
    start: ({ shell, load }, given) => shell.asked("start", { minutes: whole(given, "minutes") ?? 0 }).then(load),
    draft: ({ shell, load }, given) => shell.asked("draft", { cut: whole(given, "cut"), through: text(given, "through"), bye: text(given, "bye"), pods: text(given, "pods"), minutes: whole(given, "minutes") }).then(load),
    draw_pods: ({ shell, load }, given) => shell.asked("draw_pods", { kind: text(given, "kind") }).then(load),
    conduct: ({ act }, given) => act("conduct", { table: given.get("table") ? whole(given, "table") : null, step: text(given, "step"), seats: given.get("pod") ? `pod${text(given, "pod")}` : "", packs: whole(given, "packs"), seconds: whole(given, "seconds") }),
    choose_pack: ({ act }, given) => act("choose_pack", { pack: text(given, "pack") }),
    length: ({ act, shell }, given) => act("length", { round: whole(given, "round") ?? shell.state.round.number, minutes: whole(given, "minutes"), reason: text(given, "reason") }),
    ...renames,
    ...draftForms,
  },
};
