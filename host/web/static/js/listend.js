// A long list is drawn as far as it is seen: more of it is asked for before its end is scrolled into sight.

export class ListEnd {
  #near;

  /** `more()` is called once what `watch` was given comes near the window's edge. */
  constructor(more) {
    this.#near = new IntersectionObserver((seen) => { if (seen.some((one) => one.isIntersecting)) more(); }, { rootMargin: "100% 0px" });
  }

  /** Watch what stands at the list's end, null for a list that is drawn whole. */
  watch(rest) {
    this.#near.disconnect();
    if (rest) this.#near.observe(rest);
  }
}
