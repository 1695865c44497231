import { type Advice, type AdvisedRecord, textOf, type TextRecord } from './advice.js';
import { adviseOnCaa } from './caa.js';
import { adviseOnMailTexts, adviseOnQuotes } from './texts.js';
import { adviseOnNames } from './names.js';
import { adviseOnProxies } from './proxies.js';
import { adviseOnSpf } from './spf.js';

// Separate from the index of the package, since the list of suffixes is large and nameservers do not need it.

export { type Advice, type AdvisedRecord, dataOfText, type Fix, textOf } from './advice.js';
export { unfinishedTarget } from './names.js';
export { isSpf, lookupsOfSpf, MAX_SPF_LOOKUPS, mergeSpf, tooManyLookups } from './spf.js';

/**
 * Returns advice on records of the zone `zone` (canonical). Text records of one name are judged together, so all of them
 * must be given.
 */
export function adviseOn(records: readonly AdvisedRecord[], zone: string): Advice[] {
  const names = new Set(records.map(({ name }) => name));
  return [
    ...records.flatMap((record) => adviseOnNames(record, zone, names)),
    ...[...groupTexts(records)].flatMap(adviseOnTexts),
    ...records.filter(({ type }) => type === 'CAA').flatMap(adviseOnCaa),
    ...records.filter(({ type }) => type === 'A' || type === 'AAAA').flatMap(adviseOnProxies),
  ];
}

function adviseOnTexts(texts: readonly TextRecord[]): Advice[] {
  const quoted = texts.map((record) => adviseOnQuotes(record));
  // The marks are the reason of what else is wrong in such a text.
  const plain = texts.filter((_, index) => quoted[index]?.length === 0);
  return [...quoted.flat(), ...adviseOnSpf(plain), ...adviseOnMailTexts(plain)];
}

function groupTexts(records: readonly AdvisedRecord[]): Iterable<TextRecord[]> {
  const groups = new Map<string, TextRecord[]>();
  for (const { name, type, data, priority } of records) {
    const text = type === 'TXT' ? textOf(data) : undefined;
    if (text === undefined) continue;
    const group = groups.get(name) ?? [];
    group.push({ name, type, data, priority: priority ?? null, text });
    groups.set(name, group);
  }
  return groups.values();
}
