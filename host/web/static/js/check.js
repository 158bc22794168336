// Check: what boards committed to before they rolled, and a match's rolls recomputed in this browser.

import { ofDay } from "./clock.js";
import { el, icon } from "./dom.js";
import { Commitments } from "./commitments.js";
import { able } from "./recompute.js";
import { Shell } from "./shell.js";
import { known, say } from "./words.js";

const UNTIL = 255; // of `many`: until tails
const view = { typed: "" };

/** A commitment, seed or nonce in groups that people can compare. */
const code = (hex) => el("code", {}, (hex.toUpperCase().match(/.{1,4}/g) ?? []).join(" "));

const coin = (heads) => say(heads ? "check.heads" : "check.tails");

/** What fell, in words. */
function faceWords({ randomizer, many }, face) {
  if (face === null) return "–";
  if (randomizer) return String(face);
  if (many === UNTIL) return face ? say("check.until", { count: face }) : coin(false);
  if (many < 2) return coin(face === 1);
  return Array.from({ length: many }, (_, at) => coin((face >> at) & 1)).join(", ");
}

const word = (key) => (known(key) ? say(key) : "–");

/** A sentence with a mark beside it: whether something fits. */
const verdict = (fits, text) => el("p", { class: `verdict ${fits ? "good" : "bad"}` }, icon(fits ? "done" : "warning"), el("span", {}, text));

function rollVerdicts(roll, found) {
  if (!found) return null;
  return [
    found.face ? null : verdict(false, say("check.roll_not", { face: faceWords(roll, found.gives) })),
    found.named ? null : verdict(false, say("check.id_not", { id: found.id })),
    found.next ? null : verdict(false, say("check.number_not")),
    found.face && found.named && found.next ? verdict(true, say("check.roll_fits")) : null];
}

function rollItem(roll, found) {
  return el("li", {}, el("span", { class: "n" }, roll.number),
    el("span", { class: "what" }, `${word(`check.kind.${roll.randomizer}`)} · ${word(`check.for.${roll.purpose}`)}`),
    el("b", { class: "face" }, faceWords(roll, roll.face)), el("code", { class: "id" }, roll.id), rollVerdicts(roll, found));
}

/** Why a match cannot be recomputed yet. */
function waiting({ over }) {
  return el("p", { class: "quiet" }, say(over ? "check.untold" : "check.playing"));
}

function recomputed({ seed: told, fits: found }) {
  if (!able) return el("p", { class: "ask" }, say("check.unable"));
  if (!found) return el("p", { class: "quiet" }, say("connecting"));
  return [verdict(found.seed, say(found.seed ? "check.seed_fits" : "check.seed_not")),
    found.fits && told.rolls.length ? verdict(true, say("check.all", { count: told.rolls.length })) : null,
    found.fits ? null : verdict(false, say("check.some"))];
}

const fact = (key, ...told) => [el("dt", {}, say(key)), el("dd", {}, told)];

function matchPart(match, at, origin) {
  const { seed: told, fits: found } = match;
  return el("section", { class: "match", "data-key": `match${at}` },
    el("dl", {}, fact("check.commitment", code(match.commitment), " ", el("small", {}, ofDay(match.heard_ms, origin, true))),
      told ? [fact("check.seed", code(told.seed)), fact("check.nonce", told.nonce === null ? say("check.no_nonce") : code(told.nonce))] : null),
    told ? [recomputed(match), told.rolls.length ? el("ol", { class: "rolls" }, told.rolls.map((roll, place) => rollItem(roll, found?.rolls[place])))
      : el("p", { class: "quiet" }, say("check.none_rolled"))] : waiting(match));
}

function tablePart({ round, lines: [line] }, origin) {
  return [el("p", {}, el("a", { class: "button", href: `#${round}` }, say("check.tables"))),
    line.changed ? verdict(false, say("check.changed")) : null,
    line.matches.length ? line.matches.map((match, at) => matchPart(match, at, origin)) : el("p", { class: "quiet" }, say("check.none"))];
}

function commitmentPart(match, origin) {
  const state = match.told ? say("check.rolls", { count: match.rolls }) : say(match.over ? "check.over" : "check.not_over");
  return el("span", { class: "said" }, code(match.commitment), el("small", {}, `${ofDay(match.heard_ms, origin, true)} · ${state}`));
}

function lineItem(round, { table, matches, changed }, origin) {
  const told = matches.some((match) => match.told);
  return el("li", { "data-key": `line${table}` }, el("b", { class: "table" }, el("span", { class: "unseen" }, `${say("table")} `), table),
    el("div", { class: "of" }, matches.length ? matches.map((match) => commitmentPart(match, origin)) : el("span", { class: "quiet" }, say("check.none")),
      changed ? verdict(false, say("check.changed")) : null),
    told ? el("a", { class: "button", href: `#${round}/${table}`, "aria-label": `${say("act.check")}: ${say("table")} ${table}` }, say("act.check")) : null);
}

function listPart({ round, lines }, origin) {
  const shown = lines.filter(({ table }) => String(table).startsWith(view.typed.trim()));
  return [el("p", { class: "quiet" }, say("check.help")),
    el("ol", { class: "commitments", "data-key": "commitments" }, shown.map((line) => lineItem(round, line, origin)))];
}

/** The choice of a round and of a table. */
function finding(shell, { round }, table) {
  const rounds = Object.entries(shell.state.rounds ?? {}).filter(([, one]) => one.state !== "draft").map(([number]) => Number(number));
  return el("div", { class: "finding", "data-key": "finding" },
    el("h1", {}, table ? `${say("table")} ${table} · ${say("round_number", { number: round })}` : `${say("page.check")} · ${say("round_number", { number: round })}`),
    table ? null : el("div", { class: "row" },
      rounds.length > 1 ? el("label", { class: "few" }, el("span", {}, say("round")), el("select", { "data-on": "round" },
        rounds.map((number) => el("option", { value: number, selected: number === round }, number)))) : null,
      el("label", { class: "few" }, el("span", {}, say("table")), el("input", { type: "search", inputmode: "numeric", "data-on": "search", autocomplete: "off" }))));
}

function render(shell) {
  const { answer, error, table } = commitments;
  const origin = shell.state.event?.origin_unix_ms ?? 0;
  if (error !== null) return el("p", { class: "ask", role: "status" }, error || say("not_reached"));
  if (!answer) return el("p", { class: "quiet" }, say("connecting"));
  if (answer.round === null) return el("p", { class: "quiet" }, say("seats.none"));
  return [finding(shell, answer, table), table ? tablePart(answer, origin) : listPart(answer, origin)];
}

const page = {
  name: "check",
  render,
  acts: {
    search: (shell, _, node) => { view.typed = node.value; shell.draw(); },
    round: (_, __, node) => { location.hash = node.value; },
  },
  changed: (shell) => commitments.refresh(shell),
  tick: (shell) => { if (shell.state) commitments.refresh(shell); },
};

const shell = new Shell(page);
const commitments = new Commitments(() => shell.draw());
addEventListener("hashchange", () => { if (shell.state) commitments.refresh(shell); });
shell.start();
