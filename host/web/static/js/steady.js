// Lists that sort themselves and never move under a finger: the order rests while somebody is at it, and a
// touch right after a move does not count, as on the boards.

const REST_MS = 1200; // so long after a finger or a mouse was on the list
const FRESH_MS = 300; // a touch was meant for what stood there before

export class Steady {
  #orders = new Map(); // by list: the keys as they are shown
  #moved = new Map(); // by list: when keys changed places last
  #touched = -REST_MS;
  #late = false; // an order rests that is not the wanted one
  #down = 0;

  constructor() {
    for (const kind of ["pointerdown", "pointermove"]) document.addEventListener(kind, (event) => this.#at(event), { passive: true });
  }

  #at(event) {
    if (event.type === "pointerdown") this.#down = performance.now();
    if (event.target instanceof Element && event.target.closest("[data-steady]")) this.#touched = performance.now();
  }

  /** The keys of a list in the order in which they are to be shown now. */
  order(list, wanted) {
    const before = this.#orders.get(list) ?? [];
    const rests = performance.now() - this.#touched < REST_MS;
    const known = new Set(wanted), seen = new Set(before);
    const kept = before.filter((key) => known.has(key));
    const shown = rests ? [...kept, ...wanted.filter((key) => !seen.has(key))] : wanted;
    if (shown.some((key, at) => seen.has(key) && before[at] !== key)) this.#moved.set(list, performance.now());
    this.#late ||= shown.some((key, at) => wanted[at] !== key);
    this.#orders.set(list, shown);
    return shown;
  }

  /** Whether an order has rested long enough, and another one is wanted. */
  get due() {
    if (!this.#late || performance.now() - this.#touched < REST_MS) return false;
    this.#late = false;
    return true;
  }

  /** Whether a click was meant for what stood there before the list moved. */
  missed(event) {
    const list = event.target.closest("[data-steady]")?.dataset.steady;
    return Boolean(list) && event.detail > 0 && this.#down >= (this.#moved.get(list) ?? Infinity) && this.#down - this.#moved.get(list) < FRESH_MS;
  }
}
