import type { Operation, Sequence } from './operations.js';

/** The platform had no time: nothing is known of what a sequence would have come to. */
export class Disturbed extends Error {}

/** What is wrong, after so many operations of the sequence. */
export class Difference extends Error {
  readonly done: number;

  constructor(message: string, done: number) {
    super(message);
    this.done = done;
  }
}

type Run = (sequence: Sequence) => Promise<void>;

/** Time to look for a shorter sequence that fails. */
const MOST_MS = 90_000;
const ATTEMPTS = 2;

/** Undefined if the sequence comes to what it should. */
export async function findFailure(sequence: Sequence, run: Run): Promise<Error | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await run(sequence);
      return undefined;
    } catch (error) {
      if (!(error instanceof Disturbed) || attempt === ATTEMPTS) return error as Error;
    }
  }
}

/** Takes out of a sequence, by ever smaller parts, what it fails without. @returns an error that shows the rest */
export async function reduced(sequence: Sequence, failure: Error, run: Run): Promise<Error> {
  const end = Date.now() + MOST_MS;
  let shortest = upToFailure(sequence, failure);
  let last = failure;
  let size = Math.ceil(shortest.operations.length / 2);
  while (size >= 1 && Date.now() < end) {
    let at = 0;
    while (at < shortest.operations.length && Date.now() < end) {
      const operations = shortest.operations.toSpliced(at, size);
      const found = await findFailure({ ...shortest, operations }, run);
      if (found === undefined || found instanceof Disturbed) {
        at += size;
      } else {
        shortest = upToFailure({ ...shortest, operations }, found);
        last = found;
      }
    }
    size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return new Error(`${show(shortest)}\n${last.message}`, { cause: failure });
}

function upToFailure(sequence: Sequence, failure: Error): Sequence {
  if (!(failure instanceof Difference)) return sequence;
  return { ...sequence, operations: sequence.operations.slice(0, failure.done) };
}

/** One operation a line. */
function show({ beginning, operations }: Sequence): string {
  const lines = operations.map((each: Operation) =>
    JSON.stringify(each).replaceAll(/y{9,}/g, 'yyy'),
  );
  return ['This sequence fails:', JSON.stringify(beginning), ...lines].join('\n');
}
