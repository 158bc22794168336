// A sheet is an entry of the browser's history: the back gesture closes it, and its own button goes back.

/** Which table's sheet lies over this page; `changed()` is called when that is another, or none. */
export class SheetHistory {
  #changed;
  #leaving = false; // until the browser has gone back
  #next = null;

  constructor(changed) {
    this.#changed = changed;
    this.table = history.state?.table ?? null; // a page that was left with its sheet open comes back with it
    addEventListener("popstate", () => this.#moved());
  }

  open(table) {
    if (this.#leaving) this.#next = table;
    else if (table !== this.table) {
      if (this.table === null) history.pushState({ table }, "");
      else history.replaceState({ table }, "");
      this.#show(table);
    }
  }

  close() {
    if (this.table === null) return;
    this.#leaving = true;
    this.#show(null);
    history.back();
  }

  #moved() {
    this.#leaving = false;
    const next = this.#next;
    this.#next = null;
    this.#show(history.state?.table ?? null);
    if (next !== null) this.open(next);
  }

  #show(table) {
    if (table === this.table) return;
    this.table = table;
    this.#changed();
  }
}
