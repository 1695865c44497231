/** Rows of one statement: neither side minds them, */
const MAX_ROWS = 1_000;
/** nor so many octets of JSON, which are made in one go. */
const MAX_OCTETS = 524_288;

/** Rows as JSON for one statement, and how many they are. */
interface StatementPart {
  readonly json: string;
  readonly rows: number;
}

/** Rows in parts of which each is small enough for one statement. */
export function* statementParts<T>(
  rows: Iterable<T>,
  toRow: (row: T) => unknown,
): Generator<StatementPart> {
  let part: string[] = [];
  let octets = 0;
  for (const row of rows) {
    const text = JSON.stringify(toRow(row));
    part.push(text);
    octets += text.length;
    if (part.length < MAX_ROWS && octets < MAX_OCTETS) continue;
    yield { json: `[${part.join(',')}]`, rows: part.length };
    part = [];
    octets = 0;
  }
  if (part.length > 0) yield { json: `[${part.join(',')}]`, rows: part.length };
}
