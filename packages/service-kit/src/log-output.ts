/**
 * Standard output, in one write for each turn of the event loop instead of one for each line: under load that saves
 * a system call, or the waking of a thread, for each request. A process that is killed with SIGKILL loses the lines of
 * the turn that it was in, and no others.
 */
class LogOutput {
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
    const lines = this.#lines;
    this.#lines = '';
    process.stdout.write(lines);
  }
}

let shared: LogOutput | undefined;

/** The one output of this process, whatever number of loggers write to it. */
export function logOutput(): { write(line: string): void } {
  return (shared ??= new LogOutput());
}
