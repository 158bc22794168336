// What lies over what, and which text leaves its box: what test_layout.py asks a page of itself.

window.boxes = (() => {
  const CONTROLS = "button, a[href], input, select, textarea, summary";
  const FRAMES = ".card, .call, .forecast li, .bar, .sheet, .judged li, .wall header";
  // from top to bottom a line's box says more of the font than of its ink: there only the middle is asked
  const within = (text, frame) => text.left >= frame.left - 1 && text.right <= frame.right + 1
    && (text.top + text.bottom) / 2 > frame.top && (text.top + text.bottom) / 2 < frame.bottom;
  // only spoken: nothing of it is drawn
  const aside = (node) => node && (getComputedStyle(node).clipPath !== "none" || aside(node.parentElement));
  const seen = (node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest(".skip") && !aside(node) && node.getClientRects().length > 0;
  // one is in the other, or both are in one label (a chip's choice lies over its word unseen)
  const related = (hit, node) => hit.contains(node) || node.contains(hit) || (node.closest("label")?.contains(hit) ?? false);
  const named = (node) => `${node.tagName.toLowerCase()}.${node.className?.baseVal ?? node.className} "${(node.textContent || node.name || "").trim().slice(0, 30)}"`;

  /** Controls that something else lies over at their middle, each brought into view first. */
  function covered(edge = "start") {
    const found = [];
    const root = document.querySelector("dialog[open]") ?? document;
    for (const node of root.querySelectorAll(CONTROLS)) {
      if (!seen(node) || node.closest(".notes")) continue;
      node.scrollIntoView({ block: edge, inline: "center", behavior: "instant" });
      const box = node.getClientRects()[0];
      const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      if (!hit || !(node.contains(hit) || hit.closest("label")?.control === node)) found.push(`${named(node)} is under ${hit ? named(hit) : "nothing that is seen"}`);
    }
    window.scrollTo(0, 0);
    return found;
  }

  /** Words that something lies over which is not around them. */
  function hidden() {
    const found = [];
    const walker = document.createTreeWalker(document.querySelector("dialog[open]") ?? document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode.parentElement;
      if (!walker.currentNode.data.trim() || !seen(node) || node.closest("option, .spoken")) continue;
      node.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
      const text = document.createRange();
      text.selectNode(walker.currentNode);
      for (const line of text.getClientRects()) {
        const box = inSight(line, node);
        for (const along of box ? [0.1, 0.5, 0.9] : []) {
          const hit = document.elementFromPoint(box.left + along * (box.right - box.left), (box.top + box.bottom) / 2);
          if (hit && !related(hit, node)) found.push(`${named(node)} is under ${named(hit)}`);
        }
      }
    }
    window.scrollTo(0, 0);
    return found;
  }

  /** What of a box its clipping ancestors and the window leave, null for nothing. */
  function inSight(box, node) {
    let { left, right, top, bottom } = box;
    const cut = (by) => { left = Math.max(left, by.left); right = Math.min(right, by.right); top = Math.max(top, by.top); bottom = Math.min(bottom, by.bottom); };
    cut({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });
    for (let up = node; up; up = up.parentElement) if (up !== document.body && getComputedStyle(up).overflow !== "visible") cut(up.getBoundingClientRect());
    return right - left > 2 && bottom - top > 2 ? { left, right, top, bottom } : null;
  }

  /** Clocks whose text leaves the box that holds it. */
  function spilled() {
    const found = [];
    for (const node of document.querySelectorAll(".clock, .wait, .since, .end b")) {
      if (!seen(node) || !node.textContent || node.children.length || node.closest(".big")) continue;
      const text = document.createRange();
      text.selectNodeContents(node);
      const frame = node.closest(FRAMES) ?? node.parentElement;
      if (!within(text.getBoundingClientRect(), frame.getBoundingClientRect())) found.push(`${named(node)} leaves ${named(frame)}`);
    }
    return found;
  }

  /** The widths of a few letters in some families, or in the page's own: what tells fonts apart. */
  function measured(families) {
    const brush = document.createElement("canvas").getContext("2d");
    brush.font = `100px ${families ?? getComputedStyle(document.body).fontFamily}`;
    return ["0000", "iiii", "WWWW"].map((text) => Math.round(brush.measureText(text).width));
  }

  const FINGER = 44; // pixels

  /** Controls that are smaller than a fingertip. */
  function small() {
    const found = [];
    for (const node of (document.querySelector("dialog[open]") ?? document).querySelectorAll(CONTROLS)) {
      const label = node.matches("[type=radio], [type=checkbox]") ? node.closest("label") : null;
      const box = (label ?? node).getBoundingClientRect();
      if (seen(node) && Math.min(box.width, box.height) < FINGER - 0.5) found.push(`${named(node)} is ${Math.round(box.width)} by ${Math.round(box.height)}`);
    }
    return found;
  }

  return { covered, hidden, spilled, small, measured };
})();
