// A round that has not begun, changed by hand: touch two players, see what it does, and do it.

import { button, el } from "../dom.js";
import { holds } from "../find.js";
import { say } from "../words.js";
import { field, form, grid, pick, text, whole } from "./parts.js";

/** What a person has chosen of a round so far: the round, a player, and what the host says of a change. */
function chosenOf(desk, number) {
  const { draft } = desk.chosen;
  return draft && draft.round === number ? draft : null;
}

function everybody(card) {
  return [...card.seats.flatMap(({ a, b }) => (b ? [a, b] : [a])), ...card.losses, ...card.absent];
}

/** A player with the points so far, to touch for who may change the round. */
function seat({ desk, number, may }, player) {
  const picked = chosenOf(desk, number);
  const on = picked && [picked.player, picked.other].includes(player.number);
  const key = `seat${number}-${player.number}`;
  const touched = { type: "button", "data-act": "touch_player", "data-round": number, "data-number": player.number, "aria-pressed": String(Boolean(on)) };
  return el(may ? "button" : "span", { class: "seat", "data-key": key, ...(may ? touched : {}) },
    el("bdi", { class: "name" }, player.name), " ", el("small", {}, player.number),
    player.points === null ? null : el("span", { class: "points", title: say("points") }, player.points),
    player.keeps === null ? null : el("small", { class: "mark" }, say("draft.keeps", { table: player.keeps })),
    player.dropped ? el("small", { class: "mark need" }, say("people.dropped")) : null);
}

function line(draft, { table, a, b }) {
  return el("li", { class: "pairing", "data-key": `pairing${draft.number}-${a.number}` },
    el("span", { class: "table" }, table ?? say("bye"), draft.features.includes(table) ? el("small", { class: "mark" }, say("mark.feature")) : null),
    seat(draft, a), b ? seat(draft, b) : null);
}

function group(draft, title, players) {
  if (!players.length) return null;
  return el("section", { class: "apart" }, el("h3", {}, title), el("div", { class: "row" }, players.map((player) => seat(draft, player))));
}

/** What can be done with one player alone. */
function alone({ card, features }, player) {
  const where = card.seats.find(({ a, b }) => [a.number, b?.number].includes(player.number));
  const table = where?.table ?? null;
  return [
    el("p", {}, say("draft.second", { name: player.name })),
    el("div", { class: "row" },
      (player.dropped ? ["out"] : ["bye", "loss"]).map((gives) => button("give_player", say(`draft.give.${gives}`), { gives })),
      table ? button("feature_table", say(features.includes(table) ? "draft.feature_off" : "draft.feature_on", { table }), { table, on: !features.includes(table) }) : null,
      button("leave_players", say("draft.leave"))),
    player.dropped ? null : form("seat_at", null, [field("table", say("table"), { type: "number", min: 1, max: 65535, required: true, value: table ?? "" }),
      pick("stays", say("draft.how_long"), [["false", say("draft.once")], ["true", say("draft.always")]])], say("draft.seat"), "")];
}

/** What a change does, to be done or left. */
function effects({ does, warns }) {
  return [
    el("ul", { class: "does" }, does.map((said) => el("li", {}, said))),
    warns.length ? el("ul", { class: "warns" }, warns.map((said) => el("li", {}, said))) : null,
    el("div", { class: "row" }, button("do_change", say("draft.do"), {}, "strong"), button("leave_players", say("draft.leave")))];
}

function bar(draft) {
  const picked = chosenOf(draft.desk, draft.number);
  const player = picked && everybody(draft.card).find((one) => one.number === picked.player);
  if (!player) return null;
  return el("div", { class: "draft-bar box", role: "status", "data-key": `bar${draft.number}-${picked.asked ? "asked" : player.number}` }, picked.asked ? effects(picked.asked) : alone(draft, player));
}

function undone({ card, number }) {
  const { undo } = card;
  if (!undo) return null;
  const name = (player) => everybody(card).find((one) => one.number === player)?.name ?? player;
  const what = undo.gives ? `${name(undo.a)}: ${say(`draft.give.${undo.gives}`)}` : say(`draft.did.${undo.what}`, { a: name(undo.a), b: name(undo.b), table: undo.table });
  return el("div", { class: "row" }, button("undo_pairing", say("draft.undo", { what }), { round: number }));
}

/** The pairings of a round that has not begun: a list of tables whose players can be touched. */
export function draftList(shell, desk, number, told) {
  const card = told?.open?.[number];
  if (!card) return null;
  const draft = { desk, number, card, features: told.features, may: shell.may("swap_players") };
  const sought = desk.chosen.seated ?? "";
  const some = (players) => players.filter((one) => !sought || holds([one.name, one.number], sought));
  const found = card.seats.filter(({ a, b }) => some(b ? [a, b] : [a]).length);
  return el("details", { open: true, class: "draft", "data-key": `pairs${number}` }, el("summary", {}, say("round.pairs")),
    draft.may ? el("p", { class: "quiet" }, say(card.published ? "draft.help_published" : "draft.help")) : null,
    undone(draft),
    el("label", { class: "search" }, el("span", {}, say("people.search")), el("input", { type: "search", "data-on": "seated_sought", autocomplete: "off" })),
    el("ol", { class: "pairings" }, found.slice(0, desk.most).map((one) => line(draft, one))),
    found.length > desk.most ? button("more", say("tables.rest", { count: found.length - desk.most }), {}, "rest") : null,
    group(draft, say("draft.losses"), some(card.losses)), group(draft, say("draft.absent"), some(card.absent).slice(0, desk.most)),
    bar(draft)); // last, where it sticks to the window's edge under a long list
}

/** Who keeps a table, and who shall from now on. */
export function keptTables(shell, told) {
  if (!told || !shell.may("seat_at")) return null;
  return el("details", { class: "box", "data-key": "kept" }, el("summary", {}, say("kept.title")),
    el("p", { class: "quiet" }, say("kept.help")),
    grid([["table", "n"], ["name"], ["act"]], told.kept.map((one) => [one.table, el("bdi", { class: "name" }, `${one.name} (${one.number})`), button("release", say("act.release"), { number: one.number })]), "kept-list"),
    form("seat_at", null, [field("number", say("number"), { required: true, maxlength: 40 }), field("table", say("table"), { type: "number", min: 1, max: 65535, required: true })], say("act.seat_at"), ""));
}

/** Ask the host what a change does. */
async function asked(name, body, { shell, desk, load }, other = null) {
  const draft = desk.chosen.draft;
  const told = await shell.act(name, { ...body, round: draft.round, version: draft.version }, "");
  if (desk.chosen.draft !== draft) return;
  if (told?.ask) Object.assign(draft, { asked: told, other, change: { name, body: { ...body, round: draft.round, version: draft.version } } });
  else { desk.chosen.draft = null; load(); }
  shell.draw();
}

/** What the editor's buttons do; each act of the host is asked about before. */
export const draftTaps = {
  touch_player: (panel, { round, number }) => {
    const { shell, desk } = panel;
    const { version } = desk.read.rounds.told.open[round];
    const draft = chosenOf(desk, Number(round));
    if (!draft || draft.asked) desk.chosen.draft = { round: Number(round), version, player: number };
    else if (draft.player === number) desk.chosen.draft = null;
    else return asked("swap_players", { a: draft.player, b: number }, panel, number);
    shell.draw();
    return undefined;
  },
  give_player: (panel, { gives }) => asked("give", { number: panel.desk.chosen.draft.player, gives }, panel),
  leave_players: ({ shell, desk }) => { desk.chosen.draft = null; shell.draw(); },
  feature_table: ({ act, desk }, { table, on }) => { desk.chosen.draft = null; return act("feature", { table: Number(table), on: on === "true" }); },
  do_change: ({ act, desk, load }) => {
    const { change } = desk.chosen.draft;
    desk.chosen.draft = null;
    return act(change.name, { ...change.body, sure: true }).then((told) => told ?? load());
  },
  seated_sought: ({ shell, desk }, _, node) => { desk.chosen.seated = node.value; shell.draw(); },
};

export const draftActs = {
  undo_pairing: ({ act, desk, load }, { round }) => act("undo_pairing", { round: Number(round), version: desk.read.rounds.told.open[round].version }).then((told) => told ?? load()),
  release: ({ act }, { number }) => act("release", { number }),
};

export const draftForms = {
  seat_at: (panel, given) => {
    const { shell, desk, load } = panel;
    const table = whole(given, "table");
    if (given.has("stays")) return asked("seat_at", { number: desk.chosen.draft.player, table, stays: text(given, "stays") === "true" }, panel);
    return shell.asked("seat_at", { number: text(given, "number"), table, stays: true }).then(load);
  },
};
