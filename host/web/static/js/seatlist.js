// Who sits where in the published round, by surname, as the host tells it: fetched anew with each round.

import { language } from "./words.js";

const ASKED = { headers: { Accept: "application/json", "Accept-Language": language } };

/** The seats of the published round; `refresh` fetches them where round or pairings are others. */
export class SeatList {
  #of = null;

  constructor(changed) {
    this.lines = [];
    this.round = null;
    this.changed = changed;
  }

  /** Fetch what changed: the round, or who sits at its tables. */
  async refresh(state) {
    const seats = Object.values(state.tables ?? {}).map(({ table, a, b }) => `${table} ${a?.name} ${b?.name}`).join("|");
    const of = `${state.round?.number} ${state.round?.state} ${seats}`;
    if (of === this.#of) return;
    this.#of = of;
    const answer = await fetch("/api/seating", ASKED).catch(() => null);
    if (!answer?.ok || of !== this.#of) return;
    const told = await answer.json();
    this.lines = told.lines;
    this.round = told.round;
    this.changed();
  }
}

/** The seats of whoever has a number; viewers are told no other numbers. */
export async function byNumber(number) {
  const answer = await fetch(`/api/seating?${new URLSearchParams({ number })}`, ASKED).catch(() => null);
  return answer?.ok ? (await answer.json()).lines : [];
}
