import type { Output } from './output.js';

const INTERVAL_MS = 1_000;

/** Says on standard error how far a long command is, once a second at most; a short one says nothing. */
export class Progress {
  readonly #output: Output;
  #saidAt = performance.now();

  constructor(output: Output) {
    this.#output = output;
  }

  /** `sentence` is asked for only when it is time to say it. */
  report(sentence: () => string): void {
    const now = performance.now();
    if (now - this.#saidAt < INTERVAL_MS) return;
    this.#saidAt = now;
    this.#output.remark(sentence());
  }
}
