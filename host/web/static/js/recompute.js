// Recomputes commitments and rolls as boards do (docs/luck.md), with this browser's own hash functions alone.

const LABEL = new TextEncoder().encode("plusthree seed");
const SIDES = [2, 6, 8, 8]; // coin, die, attack, defence
const UNTIL = 255; // of `many`: until tails
const HASHED = 24; // bytes of the hash that are the commitment

/** Whether this browser gives a page its hash functions: over HTTPS, or on the host itself. */
export const able = globalThis.crypto?.subtle !== undefined;

const bytes = (hex) => Uint8Array.from(String(hex).match(/../g) ?? [], (two) => Number.parseInt(two, 16));
const hexOf = (data) => [...data].map((one) => one.toString(16).padStart(2, "0")).join("");

/** Numbers in little-endian order, each as [value, size in bytes]. */
function packed(...numbers) {
  return numbers.flatMap(([value, size]) => Array.from({ length: size }, (_, at) => (value >> (8 * at)) & 255));
}

/** The commitment to a seed at a place, which is [device, event, round, table, pairing]. */
export async function commitment([device, event, round, table, pairing], seed) {
  const place = packed([device, 2], [event, 2], [round, 1], [table, 2], [pairing, 2]);
  const hash = await crypto.subtle.digest("SHA-256", Uint8Array.from([...LABEL, ...place, ...bytes(seed)]));
  return hexOf(new Uint8Array(hash).slice(0, HASHED));
}

/** A roll's audit id: how the commitment begins, and the roll's number. */
export const auditId = (said, number) => `${said.slice(0, 4).toUpperCase()}-${number}`;

/** The bytes of one roll, in order: HMAC-SHA256(seed, nonce, roll number, randomizer and purpose, attempt). */
async function* drawn(seed, nonce, number, kind) {
  const key = await crypto.subtle.importKey("raw", bytes(seed), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  for (let attempt = 0; ; attempt += 1) {
    const asked = Uint8Array.from([...bytes(nonce ?? ""), ...packed([number, 2], [kind, 1], [attempt, 2])]);
    yield* new Uint8Array(await crypto.subtle.sign("HMAC", key, asked));
  }
}

/** A face from 1; a byte at or above the highest multiple of `sides` is skipped, as it would favour low faces. */
async function face(source, sides) {
  const limit = 256 - (256 % sides);
  for (;;) {
    const { value } = await source.next();
    if (value < limit) return (value % sides) + 1;
  }
}

/** What seed and nonce give for a roll: a face; of many coins a bit for each heads, or how many heads before tails. */
export async function fallen({ seed, nonce }, { number, randomizer, purpose, many }) {
  if (SIDES[randomizer] === undefined) return null;
  const source = drawn(seed, nonce, number, randomizer + 16 * purpose);
  if (many < 2) return face(source, SIDES[randomizer]);
  let heads = 0;
  if (many === UNTIL) {
    while (heads < UNTIL && (await face(source, 2)) === 1) heads += 1;
    return heads;
  }
  for (let at = 0; at < many; at += 1) if ((await face(source, 2)) === 1) heads |= 1 << at;
  return heads;
}

/** What of a match fits: its seed, and of each roll what seed and nonce give, its audit id, and its number without a gap. */
export async function recomputed({ commitment: said, seed: told }) {
  const rolls = await Promise.all(told.rolls.map(async (roll, at) => {
    const gives = await fallen(told, roll);
    const id = auditId(said, roll.number);
    return { gives, id, face: gives === roll.face, named: id === roll.id, next: roll.number === told.after + at + 1 };
  }));
  const seed = (await commitment(told.place, told.seed)) === said;
  return { seed, rolls, fits: seed && rolls.every((one) => one.face && one.named && one.next) };
}
