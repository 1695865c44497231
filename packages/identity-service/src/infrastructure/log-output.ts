/**
 * Standard output, in one write for each turn of the event loop instead of one for each line: under load that saves
 * a system call for each request.
 */
export class LogOutput {
  #lines = '';

  constructor() {
    // A process that ends in the middle of a turn still says why.
    process.on('exit', () => {
      this.#flush();
    });
  }

  write(line: string): void {
    if (this.#lines === '')
      setImmediate(() => {
        this.#flush();
      });
    this.#lines += line;
  }

  #flush(): void {
    if (this.#lines === '') return;
    process.stdout.write(this.#lines);
    this.#lines = '';
  }
}
