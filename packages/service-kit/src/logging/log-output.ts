import { fstatSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Half a minute of a busy service, for a reader that stopped for a moment; what comes on top is dropped. */
const MAX_WAITING_OCTETS = 4 * 1_048_576;
const STDOUT = 1;
const NEWLINE = 0x0a;

/** What became of the lines of one turn: how many were lost, and why. */
export type OnWritten = (lost: number, reason?: string) => void;

/**
 * Standard output, in one write for each turn of the event loop instead of one for each line: under load that saves
 * a system call, or the waking of a thread, for each request. A process that is killed with SIGKILL loses the lines of
 * the turn that it was in, and no others. What cannot be written (a full disk, a reader that is gone or stopped) is
 * dropped and counted: a service outlives its log.
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
    // A process that ends in the middle of a turn still says why.
    process.on('exit', () => {
      this.#flush();
    });
  }

  /** Lines that were lost since the process began. */
  get dropped(): number {
    return this.#dropped;
  }

  /** How to say, once lines can be written again, that some were lost. */
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

/** The one output of this process, whatever number of loggers write to it. */
export function logOutput(): LogOutput {
  return (shared ??= new LogOutput(isFile(STDOUT) ? fileSink(STDOUT) : streamSink(process.stdout)));
}

/** Pipes, sockets and terminals can make a writer wait; everything else is written at once or not at all. */
function isFile(fd: number): boolean {
  // With numbers of the other kind: require() takes what the last ones say of a pipe for true of the next path, and then follows
  // no symbolic link any more (nodejs/node#51142).
  const kind = fstatSync(fd, { bigint: true });
  return !kind.isFIFO() && !kind.isSocket() && !isatty(fd);
}

/** Node's own stream loses, and counts for written, what a full disk took only a part of. */
function fileSink(fd: number): (lines: string, onWritten: OnWritten) => void {
  /** The end of a line of which the file has the beginning: first of all, or the next line would hang on it. */
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
  // Reported to each write; without a listener it would end the process.
  stream.on('error', () => undefined);
  return (lines, onWritten) => {
    const lost = () => countLines(Buffer.from(lines));
    if (stream.writableLength > MAX_WAITING_OCTETS) {
      onWritten(lost(), 'the reader does not read');
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
