// The commitments that the host tells of, recomputed where their seeds are known, and compared with those that this browser saw.

import { BASE } from "./base.js";
import { able, recomputed } from "./recompute.js";

const EVERY_MS = 20000;
const SEEN = `plusthree.commitments${BASE}`;

/** The round and the table that the address names, as `#ROUND/TABLE`. */
function asked() {
  const [round, table] = location.hash.slice(1).split("/").map((part) => (/^\d{1,5}$/.test(part) ? Number(part) : null));
  return { round, table: round ? table ?? null : null };
}

/** Every match of an answer with what was recomputed as `fits`, null where nothing can be. */
async function fitted(match) {
  if (!match.seed || !able) return { ...match, fits: null };
  const none = { seed: false, rolls: [], fits: false }; // what is no number and no hex does not fit
  return { ...match, fits: await recomputed(match).catch(() => none) };
}

/** What this browser saw of an event, by round and table: none but the last event's is kept. */
function seenOf(event) {
  try {
    const kept = JSON.parse(localStorage.getItem(SEEN));
    return kept?.event === event ? kept : { event, tables: {} };
  } catch {
    return { event, tables: {} };
  }
}

function keep(seen) {
  try {
    localStorage.setItem(SEEN, JSON.stringify(seen));
  } catch {
    // a browser without room or leave: the page goes on, and compares nothing later
  }
}

/** Mark lines that lack a commitment that this browser saw before, and keep what it sees now. */
function compared(event, { round, lines }) {
  const kept = seenOf(event);
  const marked = lines.map((line) => {
    const place = `${round}/${line.table}`;
    const now = line.matches.map((match) => match.commitment);
    const before = kept.tables[place] ?? [];
    kept.tables[place] = [...new Set([...before, ...now])];
    return { ...line, changed: before.some((one) => !now.includes(one)) };
  });
  keep(kept);
  return marked;
}

/** A round's commitments, or one table's; `refresh` fetches them again where they may be others. */
export class Commitments {
  #query = null;
  #fetched = 0;

  constructor(changed) {
    this.answer = this.error = this.table = null;
    this.changed = changed;
  }

  async refresh({ state, wire }) {
    const { round, table } = asked();
    const query = new URLSearchParams(Object.entries({ round, table }).filter(([, value]) => value !== null));
    const of = `${query} ${state.round?.number} ${state.round?.state}`;
    const due = !document.hidden && performance.now() - this.#fetched > EVERY_MS;
    if (of === this.#query && !due) return;
    this.#query = of;
    this.#fetched = performance.now();
    const told = await wire.read(`/api/check?${query}`);
    if (of !== this.#query) return;
    await this.#take(told, table, `${state.event?.name} ${state.event?.origin_unix_ms}`);
    this.changed();
  }

  async #take(told, table, event) {
    this.table = table;
    this.error = told.error === undefined ? null : told.error ?? "";
    if (this.error !== null) return;
    const lines = await Promise.all(told.lines.map(async (line) => ({ ...line, matches: await Promise.all(line.matches.map(fitted)) })));
    this.answer = { round: told.round, lines: told.round === null ? lines : compared(event, { round: told.round, lines }) };
  }
}
