import type { Operation, Sequence } from './operations.js';

/** Reports that the platform had no time, so the result of the sequence is unknown. */
export class Disturbed extends Error {}

/** The fault after a number of operations in the sequence. */
export class Difference extends Error {
  readonly done: number;

  constructor(message: string, done: number) {
    super(message);
    this.done = done;
  }
}

type Run = (sequence: Sequence) => Promise<void>;

/** The time limit for finding a shorter sequence that fails. */
const MOST_MS = 90_000;
const ATTEMPTS = 2;

/** Returns undefined if the sequence has the expected result. */
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

/**
 * Removes parts of a failing sequence that are not needed for the failure, first large and then smaller ones.
 * @returns an error that shows the rest
 */
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

/** Shows one operation on each line. */
function show({ beginning, operations }: Sequence): string {
  const lines = operations.map((each: Operation) =>
    JSON.stringify(each).replaceAll(/y{9,}/g, 'yyy'),
  );
  return ['This sequence fails:', JSON.stringify(beginning), ...lines].join('\n');
}
