// The wall's tones, without a file. A browser plays none before somebody has touched the page.
// No other page has one yet: the judge's vibrates a phone, and speaks to a screen reader.

const TIME = [[880, 0, 0.5], [660, 0.6, 0.5], [880, 1.2, 0.5], [660, 1.8, 1.1]];
const BEGIN = [[660, 0, 0.25], [880, 0.3, 0.6]];

/** The wall's voice: `wake` in a click, then `time` and `begin` as they come. */
export class Tone {
  #context = null;

  get ready() {
    return this.#context !== null;
  }

  wake() {
    this.#context = new AudioContext();
    this.#play(BEGIN.slice(0, 1));
  }

  time() {
    this.#play(TIME);
  }

  begin() {
    this.#play(BEGIN);
  }

  #play(notes) {
    if (!this.#context) return;
    for (const [pitch, at, length] of notes) {
      const start = this.#context.currentTime + at;
      const voice = new OscillatorNode(this.#context, { type: "triangle", frequency: pitch });
      const loud = new GainNode(this.#context, { gain: 0 });
      loud.gain.setTargetAtTime(0.6, start, 0.02);
      loud.gain.setTargetAtTime(0, start + length, 0.08);
      voice.connect(loud).connect(this.#context.destination);
      voice.start(start);
      voice.stop(start + length + 0.6);
    }
  }
}
