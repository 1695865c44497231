import type { components } from './generated/dns.js';

/** Records that a change creates, updates and deletes. */
export interface RecordChanges<T> {
  readonly create: readonly T[];
  readonly update: readonly { readonly before: T; readonly after: T }[];
  readonly delete: readonly T[];
}

/**
 * Pairs deleted and created records of one name and type. A service that compares whole records stores two of them if
 * the data differs, but a reader sees one record that changed.
 */
export function pairChanges<T extends { readonly name: string; readonly type: string }>(
  changes: RecordChanges<T>,
): RecordChanges<T> {
  const keyOf = ({ name, type }: T) => `${type} ${name}`;
  const created = new Map<string, T[]>();
  for (const record of changes.create) {
    created.set(keyOf(record), [...(created.get(keyOf(record)) ?? []), record]);
  }
  const update = [...changes.update];
  const deleted = changes.delete.filter((before) => {
    const after = created.get(keyOf(before))?.shift();
    if (after !== undefined) update.push({ before, after });
    return after === undefined;
  });
  const left = new Set([...created.values()].flat());
  return { create: changes.create.filter((each) => left.has(each)), update, delete: deleted };
}

type NameserverAnswer = components['schemas']['NameserverAnswers']['nameservers'][number];
type AnsweredRecord = components['schemas']['AnsweredRecord'];

/** Records that an answer lacks, and those that only it has, compared with the usual answer. */
interface AnswerDifference {
  readonly missing: readonly AnsweredRecord[];
  readonly extra: readonly AnsweredRecord[];
}

/** Compares an answer that differs with the answer of most nameservers. */
export function compareAnswers(
  answer: NameserverAnswer,
  all: readonly NameserverAnswer[],
): AnswerDifference {
  const usual = all.find(({ differs, transport }) => !differs && transport !== null);
  if (!answer.differs || usual === undefined) return { missing: [], extra: [] };
  return {
    missing: without(usual.records, answer.records),
    extra: without(answer.records, usual.records),
  };
}

function without(records: readonly AnsweredRecord[], others: readonly AnsweredRecord[]) {
  const known = new Set(others.map(keyOf));
  return records.filter((record) => !known.has(keyOf(record)));
}

function keyOf({ name, type, ttl, data }: AnsweredRecord): string {
  return JSON.stringify([name, type, ttl, data]);
}
