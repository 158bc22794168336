// Keeps the screen on while a page is in sight: a projector's laptop must not sleep in the middle of a round.

const AGAIN_MS = 30000; // a lock that was refused, or taken away with the battery low, may be given later

/** Holds the screen awake; `refused()` is called once where the browser does not. */
export class Awake {
  #lock = null;
  #asking = false;
  #refused;

  constructor(refused) {
    this.#refused = refused;
    document.addEventListener("visibilitychange", () => this.hold()); // a hidden page loses its lock
    setInterval(() => this.hold(), AGAIN_MS);
  }

  async hold() {
    if (document.hidden || this.#lock || this.#asking) return;
    this.#asking = true;
    try {
      this.#lock = await navigator.wakeLock.request("screen"); // none over http from another PC
      this.#lock.addEventListener("release", () => { this.#lock = null; }, { once: true });
    } catch {
      this.#refused?.();
      this.#refused = null;
    } finally {
      this.#asking = false;
    }
  }
}
