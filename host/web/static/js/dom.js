// Elements without markup: everything is made by name and every text is a text node.

const SVG = "http://www.w3.org/2000/svg";

const ICONS = {
  idle: "M4 10h16v4H4z",
  seated: "M12 3a4 4 0 1 1 0 8a4 4 0 0 1 0-8zM4 21c0-5 3-8 8-8s8 3 8 8z",
  pregame: "M6 2h12v4l-4 6 4 6v4H6v-4l4-6-4-6z",
  playing: "M6 3l15 9-15 9z",
  warning: "M12 2L23 21H1zM11 9h2v6h-2zM11 17h2v2h-2z",
  frozen: "M5 4h5v16H5zM14 4h5v16h-5z",
  time: "M4 4h16v16H4z",
  overtime: "M9.5 3h5v6.5h6.5v5h-6.5v6.5h-5v-6.5H3v-5h6.5z",
  deciding: "M2 9.5h5v5H2zM9.5 9.5h5v5h-5zM17 9.5h5v5h-5z",
  done: "M9 19l-7-7 3-3 4 4 10-10 3 3z",
  theme: "M12 2a10 10 0 1 1 0 20a10 10 0 0 1 0-20zM12 4.5a7.5 7.5 0 0 0 0 15z",
  close: "M5 3l7 7 7-7 2 2-7 7 7 7-2 2-7-7-7 7-2-2 7-7-7-7z",
  call: "M12 2c-4 0-6 3-6 7v5l-3 3v2h18v-2l-3-3V9c0-4-2-7-6-7zM9 20a3 3 0 0 0 6 0z",
};

/** An element: attributes by name (null and false leave one out), children as nodes, texts or lists. */
export function el(tag, attributes = {}, ...children) {
  return made(document.createElement(tag), attributes, children);
}

/** The same within a drawing. */
export function svg(tag, attributes = {}, ...children) {
  return made(document.createElementNS(SVG, tag), attributes, children);
}

function made(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : String(value));
  }
  return add(node, children);
}

function add(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
  return node;
}

/** A drawn mark; it is never alone, a word stands beside it. */
export function icon(name) {
  return svg("svg", { viewBox: "0 0 24 24", class: `icon i-${name}`, "aria-hidden": "true" },
    svg("path", { d: ICONS[name] ?? ICONS.idle, "fill-rule": "evenodd" }));
}

/** A person's name, which keeps to itself whatever it is made of. */
export function named(player) {
  return el("bdi", { class: "name" }, player ? player.name : "–");
}

/** A button that does an act: `data-act` names it, other data follow. */
export function button(act, label, data = {}, kind = "") {
  const attributes = { type: "button", "data-act": act, class: `button ${kind}` };
  for (const [name, value] of Object.entries(data)) attributes[`data-${name}`] = value;
  return el("button", attributes, label);
}

/** Make `live` look like `fresh` and keep what is the same: focus, typed words and scrolled places stay. */
export function morph(live, fresh) {
  if (fresh.dataset?.same !== undefined && keyOf(live) === keyOf(fresh)) return;
  if (live.nodeType !== fresh.nodeType || live.nodeName !== fresh.nodeName || keyOf(live) !== keyOf(fresh)) {
    live.replaceWith(fresh);
    return;
  }
  if (live.nodeType === Node.TEXT_NODE) {
    if (live.nodeValue !== fresh.nodeValue) live.nodeValue = fresh.nodeValue;
    return;
  }
  attributes(live, fresh);
  if (!live.hasAttribute("data-own")) children(live, fresh);
}

function keyOf(node) {
  return node.dataset ? node.dataset.key : undefined;
}

function attributes(live, fresh) {
  for (const { name } of [...live.attributes]) {
    if (!fresh.hasAttribute(name) && name !== "open" && name !== "style") live.removeAttribute(name);
  }
  for (const { name, value } of [...fresh.attributes]) {
    if (name !== "style" && live.getAttribute(name) !== value) live.setAttribute(name, value);
  }
  if (live.style && live.style.cssText !== fresh.style.cssText) live.style.cssText = fresh.style.cssText;
}

function children(live, fresh) {
  const keyed = new Map();
  for (const child of live.children) if (keyOf(child)) keyed.set(keyOf(child), child);
  let at = live.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    const match = keyed.get(keyOf(wanted));
    keyed.delete(keyOf(wanted)); // of two with one key each stays
    if (match && match.nodeName === wanted.nodeName) {
      if (match === at) at = at.nextSibling;
      else live.insertBefore(match, at);
      morph(match, wanted);
    } else if (at && !keyOf(at) && !keyOf(wanted) && at.nodeName === wanted.nodeName) {
      const next = at.nextSibling;
      morph(at, wanted);
      at = next;
    } else {
      live.insertBefore(wanted, at);
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/** Fill `root` with `nodes` by morphing. */
export function fill(root, ...nodes) {
  const fresh = root.cloneNode(false);
  add(fresh, nodes);
  children(root, fresh);
}
