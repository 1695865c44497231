/** Undo steps of a start. They run in reverse order. */
export class Cleanup {
  readonly #steps: (() => Promise<void> | void)[] = [];
  #running: Promise<void> | undefined;

  add(step: () => Promise<void> | void): void {
    this.#steps.push(step);
  }

  /** Runs all steps once. Later calls wait for the first. */
  run(): Promise<void> {
    this.#running ??= this.#undo();
    return this.#running;
  }

  get hasBegun(): boolean {
    return this.#running !== undefined;
  }

  async #undo(): Promise<void> {
    // A step may be added while this runs, if something was starting when the user stopped the program.
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        console.error(`Cleanup failed: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
}
