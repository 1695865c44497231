import { fstatSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Buffer for half a minute of a busy service, if its reader pauses. Further lines are dropped. */
const MAX_WAITING_OCTETS = 4 * 1_048_576;
const STDOUT = 1;
const NEWLINE = 0x0a;

/** Called with the number of lines that were lost in a turn, and the reason. */
export type OnWritten = (lost: number, reason?: string) => void;

/**
 * Standard output with one write for each turn of the event loop. Under load this saves a system call, or waking a
 * thread, for each request. A process that is killed with SIGKILL loses only the lines of its last turn. Lines that
 * cannot be written (full disk, closed or blocked pipe) are dropped and counted, so that the log cannot stop the
 * service.
 */
export class LogOutput {
  readonly #sink: (lines: string, onWritten: OnWritten) => void;
  #lines = '';
  #dropped = 0;
  #unreported = 0;
  #reason: string | undefined;
  #report: ((dropped: number, reason: string | undefined) => void) | undefined;

  constructor(sink: (lines: string, onWritten: OnWritten) => void) {
    this.#sink = sink;
    // A process that exits in the middle of a turn still reports the reason.
    process.on('exit', () => {
      this.#flush();
    });
  }

  /** Number of lost lines since the process started. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Sets the function that reports lost lines once lines can be written again. */
  reportTo(report: (dropped: number, reason: string | undefined) => void): void {
    this.#report ??= report;
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
    this.#sink(lines, this.#onWritten);
  }

  readonly #onWritten: OnWritten = (lost, reason) => {
    if (lost > 0) {
      this.#dropped += lost;
      this.#unreported += lost;
      this.#reason = reason;
    } else if (this.#unreported > 0) {
      const unreported = this.#unreported;
      this.#unreported = 0;
      this.#report?.(unreported, this.#reason);
    }
  };
}

let shared: LogOutput | undefined;

/** Returns the output that all loggers of this process share. */
export function logOutput(): LogOutput {
  return (shared ??= new LogOutput(isFile(STDOUT) ? fileSink(STDOUT) : streamSink(process.stdout)));
}

/** Whether a write cannot block. Pipes, sockets and terminals can block a writer. */
function isFile(fd: number): boolean {
  // Use bigint numbers: otherwise require() would use the result for a pipe for the next path and no longer follow
  // symbolic links (nodejs/node#51142).
  const kind = fstatSync(fd, { bigint: true });
  return !kind.isFIFO() && !kind.isSocket() && !isatty(fd);
}

/**
 * Returns a sink for a file. Node.js's own stream drops the part of a line that a full disk did not accept, and counts
 * it as written.
 */
function fileSink(fd: number): (lines: string, onWritten: OnWritten) => void {
  /**
   * Rest of a line whose beginning is already in the file. It is written first, so that the next line starts on its own
   * line.
   */
  let torn: Buffer = Buffer.alloc(0);
  return (text, onWritten) => {
    const lines = Buffer.concat([torn, Buffer.from(text)]);
    let written = 0;
    try {
      while (written < lines.length) written += writeSync(fd, lines, written);
      torn = Buffer.alloc(0);
      onWritten(0);
    } catch (error) {
      const isInLine = written > 0 ? lines[written - 1] !== NEWLINE : torn.length > 0;
      const end = isInLine ? lines.indexOf(NEWLINE, written) + 1 : written;
      torn = lines.subarray(written, end);
      onWritten(countLines(lines.subarray(end)), reasonOf(error));
    }
  };
}

function streamSink(stream: NodeJS.WriteStream): (lines: string, onWritten: OnWritten) => void {
  // Each write reports its errors. Without a listener, an error would end the process.
  stream.on('error', () => undefined);
  return (lines, onWritten) => {
    const lost = () => countLines(Buffer.from(lines));
    if (stream.writableLength > MAX_WAITING_OCTETS) {
      onWritten(lost(), 'the reader of the log is not reading');
      return;
    }
    stream.write(lines, (error) => {
      if (error) onWritten(lost(), reasonOf(error));
      else onWritten(0);
    });
  };
}

function countLines(lines: Buffer): number {
  let count = 0;
  for (let at = lines.indexOf(NEWLINE); at >= 0; at = lines.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
