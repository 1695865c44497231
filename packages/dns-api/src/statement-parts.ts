/** Rows of one statement: neither side minds them, */
const MAX_ROWS = 1_000;
/** nor so many octets of JSON, which are made in one go. */
const MAX_OCTETS = 524_288;

/** Rows as JSON, in parts of which each is small enough for one statement. */
export function* statementParts<T>(
  rows: Iterable<T>,
  toRow: (row: T) => unknown,
): Generator<string> {
  let part: string[] = [];
  let octets = 0;
  for (const row of rows) {
    const text = JSON.stringify(toRow(row));
    part.push(text);
    octets += text.length;
    if (part.length < MAX_ROWS && octets < MAX_OCTETS) continue;
    yield `[${part.join(',')}]`;
    part = [];
    octets = 0;
  }
  if (part.length > 0) yield `[${part.join(',')}]`;
}
