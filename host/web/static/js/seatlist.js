// Who sits where in the published round, by surname, as the host tells it: fetched anew with each round.

/** The seats of the published round; `refresh` fetches them where round or pairings are others. */
export class SeatList {
  #of = null;

  constructor(changed) {
    this.lines = [];
    this.round = null;
    this.changed = changed;
  }

  /** Fetch what changed: the round, or who sits at its tables. */
  async refresh({ state, wire }) {
    const seats = Object.values(state.tables ?? {}).map(({ table, a, b }) => `${table} ${a?.name} ${b?.name}`).join("|");
    const of = `${state.round?.number} ${state.round?.state} ${seats}`;
    if (of === this.#of || !wire.connected) return;
    this.#of = of;
    const told = await wire.read("/api/seating");
    if (of !== this.#of) return;
    if (told.error === null) this.#of = null; // the host was not reached: again once it is
    if (told.error !== undefined) return;
    this.lines = told.lines;
    this.round = told.round;
    this.changed();
  }
}

/** The seats of whoever has a number; viewers are told no other numbers. */
export async function byNumber(wire, number) {
  return (await wire.read(`/api/seating?${new URLSearchParams({ number })}`)).lines ?? [];
}
