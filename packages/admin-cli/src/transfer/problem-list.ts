/** How many problems are kept; a file that is wrong throughout need not fill the screen. */
const KEPT = 200;

/** What is wrong with a document, with the place of each: `domains[3].records[17].data: ...`. */
export class ProblemList {
  readonly #sentences: string[] = [];
  count = 0;

  add(place: string, what: string): void {
    this.count++;
    if (this.#sentences.length < KEPT) this.#sentences.push(`${place}: ${what}`);
  }

  get sentences(): string[] {
    const more = this.count - this.#sentences.length;
    return more === 0 ? this.#sentences : [...this.#sentences, `and ${more} more problems`];
  }
}
