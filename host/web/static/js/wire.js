// The one line to the host: its state as a stream of changes, and acts as requests.

import { language } from "./words.js";

const SILENT_MS = 35000; // two beats and some
const AGAIN_MS = 2000;
const LOOK_MS = 1000;
const SLEPT_MS = 10000; // so long between two looks: the laptop or the phone slept
const ASKED = { Accept: "application/json", "Accept-Language": language }; // what the host says, it says in this page's language

/** The host's state as this page knows it, its clock, and whether the line stands. */
export class Wire {
  #source = null;
  #heard = 0;
  #looked = Date.now();
  #asking = false;
  #offset = 0;
  #changed;

  constructor(changed) {
    this.#changed = changed;
    this.state = null;
    this.me = null;
    this.connected = false;
  }

  /** Event time now, in ms: the host's clock, carried on by this page's own. */
  get now() {
    return performance.now() + this.#offset;
  }

  /** Find out who this is; false when nobody let this page in. */
  async enter() {
    if (!(await this.#whoami())) return false;
    this.#listen();
    setInterval(() => this.#watch(), LOOK_MS);
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.#watch(); });
    addEventListener("online", () => this.#anew());
    return true;
  }

  async #whoami() {
    const answer = await fetch("/api/me", { headers: ASKED });
    if (answer.ok) this.me = await answer.json();
    return answer.ok;
  }

  may(act) {
    return this.me !== null && this.me.may.includes(act);
  }

  #listen() {
    const source = new EventSource("/api/events");
    this.#source = source;
    const on = (kind, take) => source.addEventListener(kind, (event) => {
      const told = event.data ? JSON.parse(event.data) : {};
      this.#hear(told);
      take(told);
    });
    on("state", (told) => { this.state = told; this.#changed(["*"]); });
    on("delta", (told) => this.#take(told.set));
    on("beat", () => {});
    on("gone", () => { source.close(); this.#stand(false); }); // revoked, or the host stops: `#watch` finds out
    source.onerror = () => this.#stand(false);
  }

  #hear(told) {
    this.#heard = performance.now();
    if (typeof told.now_ms === "number") this.#offset = told.now_ms - performance.now();
    this.#stand(true);
  }

  #take(changes) {
    if (!this.state) return;
    for (const [section, id, value] of changes) {
      if (id === null) this.state[section] = value;
      else if (value === null) delete this.state[section][id];
      else this.state[section][id] = value;
    }
    this.#changed(changes.map(([section]) => section));
  }

  #stand(connected) {
    if (this.connected === connected) return;
    this.connected = connected;
    this.#changed([]);
  }

  #watch() {
    const slept = !document.hidden && Date.now() - this.#looked > SLEPT_MS;
    const silent = performance.now() - this.#heard > SILENT_MS;
    if (!document.hidden) this.#looked = Date.now();
    if (silent) this.#stand(false);
    if (slept || silent) { this.#anew(); return; }
    const dead = this.#source.readyState === EventSource.CLOSED;
    if (dead && performance.now() - this.#heard > AGAIN_MS) {
      this.#heard = performance.now();
      this.#again();
    }
  }

  /** Leave a line that may be dead without anybody having said so, and take another. */
  #anew() {
    this.#source.close();
    this.#heard = performance.now();
    this.#again();
  }

  async #again() {
    if (this.#asking) return;
    this.#asking = true;
    try {
      if (await this.#whoami()) this.#listen();
      else location.assign("/"); // this link is good no more
    } catch {
      // the host is not there: the next look will tell
    } finally {
      this.#asking = false;
    }
  }

  /** Ask the host for an act; the answer's object, or one with `error`. */
  async act(name, body = {}) {
    const headers = { ...ASKED, "Content-Type": "application/json", "X-CSRF-Token": this.me.csrf };
    return this.#json(fetch(`/api/acts/${name}`, { method: "POST", headers, body: JSON.stringify(body) }));
  }

  /** Read something beside the state. */
  async read(path) {
    return this.#json(fetch(path, { headers: ASKED }));
  }

  async #json(request) {
    try {
      const answer = await request;
      const told = await answer.json();
      return answer.ok ? told : { error: told.error ?? String(answer.status) };
    } catch {
      return { error: null };
    }
  }
}
