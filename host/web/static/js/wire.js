// The one line to the host: its state as a stream of changes, and acts as requests.

import { language } from "./words.js";

const SILENT_MS = 10000; // three of the host's beats (BEAT_S in http_loop.py)
const AGAIN_MS = 3000;
const LOOK_MS = 1000;
const LATE_MS = 2000;
const HERE = /^(localhost$|127\.|\[::1\])/; // a host on this device is reached without any network
const ASKED = { Accept: "application/json", "Accept-Language": language }; // what the host says, it says in this page's language

/** This page's two clocks: one stands still while a phone sleeps, the other one can be set. */
const clocks = () => ({ running: performance.now(), day: Date.now() });

/** The ms since a pair of clocks was read, sleep included. */
const since = ({ running, day }) => Math.max(performance.now() - running, Date.now() - day);

/** The host's state as this page knows it, its clock, and whether the line stands. */
export class Wire {
  #source = null;
  #heard = { ms: 0, at: clocks() }; // the host's last word: its event time, and when it came
  #tried = clocks();
  #asking = false;
  #changed;
  #here;
  #shut;

  /** `here(path)` is the address of a path of the host; `shut()` is called once this page's link is good no more. */
  constructor(changed, here = (path) => path, shut = () => location.assign(here("/"))) {
    this.#changed = changed;
    this.#here = here;
    this.#shut = shut;
    this.state = null;
    this.me = null;
    this.connected = false;
  }

  /** Event time now, in ms: the host's clock, carried on by this page's own. */
  get now() {
    return this.#heard.ms + since(this.#heard.at) * this.#speed;
  }

  /** How many times as fast as real time the event's runs: 1, but for a virtual one. */
  get #speed() {
    return this.me?.speed ?? 1;
  }

  /** Event time of the host's last word, in ms. */
  get heard() {
    return this.#heard.ms;
  }

  /** Find out who this is; false when nobody let this page in. */
  async enter() {
    if (!(await this.#whoami())) return false;
    this.#listen();
    setInterval(() => this.#look(), LOOK_MS);
    for (const wakes of ["visibilitychange", "resume"]) document.addEventListener(wakes, () => this.#look());
    addEventListener("pageshow", ({ persisted }) => { if (persisted) this.#again(); });
    addEventListener("online", () => this.#again());
    addEventListener("offline", () => this.#stand(false));
    return true;
  }

  async #whoami() {
    const answer = await fetch(this.#here("/api/me"), { headers: ASKED, signal: AbortSignal.timeout(SILENT_MS) });
    if (answer.ok) this.me = await answer.json();
    return answer.ok;
  }

  may(act) {
    return this.me !== null && this.me.may.includes(act);
  }

  #listen() {
    this.#source?.close();
    const source = new EventSource(this.#here("/api/events"));
    this.#source = source;
    const on = (kind, take) => source.addEventListener(kind, (event) => {
      const told = event.data ? JSON.parse(event.data) : {};
      if (kind !== "state" && this.#silent) this.#again(); // it may have waited while this page slept
      else { this.#hear(told); take(told); }
    });
    on("state", (told) => { this.state = told; this.#changed(["*"]); });
    on("delta", (told) => this.#take(told.set));
    on("beat", () => {});
    source.addEventListener("gone", () => { source.close(); this.#stand(false); }); // revoked, or the host stops: `#look` finds out
    source.onerror = () => this.#stand(false);
  }

  #hear(told) {
    if (typeof told.now_ms === "number") {
      const late = this.now - told.now_ms; // its way here took longer: no reason to set clocks back
      this.#heard = { ms: told.now_ms + (late > 0 && late < LATE_MS * this.#speed ? late : 0), at: clocks() };
    }
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

  get #silent() {
    return since(this.#heard.at) > SILENT_MS;
  }

  #look() {
    const dead = this.#source.readyState === EventSource.CLOSED;
    if ((dead || this.#silent) && since(this.#tried) > AGAIN_MS) this.#again();
  }

  /** Leave a line that may be dead without anybody having said so, and take another. */
  async #again() {
    this.#stand(false);
    this.#tried = clocks();
    if (this.#asking) return;
    this.#asking = true;
    this.#source.close();
    try {
      if (await this.#whoami()) this.#listen();
      else this.#shut();
    } catch {
      // the host is not there: the next look will tell
    } finally {
      this.#asking = false;
    }
  }

  /** Ask the host for an act, told which round this page shows; the answer's object, or one with `error`: null without an answer, when `unsent` says whether the host cannot have got it. */
  async act(name, body = {}) {
    const headers = { ...ASKED, "Content-Type": "application/json", "X-CSRF-Token": this.me.csrf };
    if (this.state?.round) headers["X-Round"] = String(this.state.round.number);
    const unsent = !navigator.onLine && !HERE.test(location.hostname);
    const told = await this.#json(fetch(this.#here(`/api/acts/${name}`), { method: "POST", headers, body: JSON.stringify(body) }));
    return told.error === null ? { ...told, unsent } : told;
  }

  /** Read something beside the state. */
  async read(path) {
    return this.#json(fetch(this.#here(path), { headers: ASKED }));
  }

  async #json(request) {
    try {
      const answer = await request;
      const told = await answer.json();
      return answer.ok ? told : { error: told.error ?? String(answer.status) };
    } catch {
      this.#stand(false); // the next beat says whether the host is there after all
      return { error: null };
    }
  }
}
