import { rdataFromWire, typeMnemonic } from '@zonewright/dns-records';
import {
  type Advice,
  type AdvisedRecord,
  adviseOn,
  isSpf,
  lookupsOfSpf,
  MAX_SPF_LOOKUPS,
  textOf,
  tooManyLookups,
} from '@zonewright/dns-records/advice';
import type { DnsAddress } from '@zonewright/service-kit';
import { listRecordsToAdvise } from '@zonewright/zones';
import { sendQuestion } from './ask-question.js';
import type { Examination, Finding, PartResult } from './finding.js';

/** Maximum number of findings. More of them usually have one cause. */
const MAX_FINDINGS = 50;
/** Maximum number of SPF records whose includes are looked up. */
const MAX_SPF = 5;
const ANSWER_WITHIN_MS = 1_500;
const RECURSION_DESIRED = 0x0100;

/** Checks the content of records: text that mail servers read, CAA, names that were completed twice or not at all. */
export async function checkRecords({ db, zone, resolver }: Examination): Promise<PartResult> {
  const records = await listRecordsToAdvise(db, zone.id);
  const advice = adviseOn(records, zone.name);
  const isCounted = new Set(advice.map(({ code, about }) => `${code} ${about.name}`));
  const spf = records
    .filter(({ type, name, data }) => {
      const isAlone =
        !isCounted.has(`spf-several ${name}`) && !isCounted.has(`spf-lookups ${name}`);
      return type === 'TXT' && isAlone && isSpf(textOf(data) ?? '');
    })
    .slice(0, MAX_SPF);
  const counted = await Promise.all(spf.map((record) => countIncluded(record, resolver)));
  const isComplete = counted.every(({ lookups }) => lookups !== undefined);
  const tooMany = counted.flatMap(({ record, lookups = 0 }) =>
    lookups > MAX_SPF_LOOKUPS ? [tooManyLookups(record, lookups)] : [],
  );
  return {
    findings: [...advice, ...tooMany].slice(0, MAX_FINDINGS).map(toFinding),
    notChecked: isComplete ? [] : ['spf-includes'],
  };
}

export function toFinding({ about: { name, type, data }, ...advice }: Advice): Finding {
  return { severity: 'warning', ...advice, about: { name, type, data } };
}

/** Counts the lookups of an SPF record with those of the records that it includes. Undefined if one is not found. */
async function countIncluded(record: AdvisedRecord, resolver: DnsAddress | undefined) {
  let lookups: number | undefined = 0;
  let texts = [textOf(record.data) ?? ''];
  // Each round adds a lookup at least, so the rounds and the queries of each are bounded.
  while (texts.length > 0 && lookups !== undefined && lookups <= MAX_SPF_LOOKUPS) {
    const counts = texts.map((text) => lookupsOfSpf(text));
    lookups = counts.reduce((sum, { terms }) => sum + terms, lookups);
    const names = counts.flatMap((each) => each.names);
    if (lookups > MAX_SPF_LOOKUPS || names.length === 0) break;
    const found = await Promise.all(names.map((name) => findSpf(name, resolver)));
    if (found.includes(undefined)) lookups = undefined;
    texts = found.flatMap((text) => text ?? []);
  }
  return { record, lookups };
}

/** Returns the SPF records of a name. Undefined if they cannot be looked up. */
async function findSpf(
  name: string,
  resolver: DnsAddress | undefined,
): Promise<string[] | undefined> {
  // A macro (RFC 7208 section 7) depends on the sender.
  if (resolver === undefined || name.includes('%')) return undefined;
  const question = { name, type: 'TXT', flags: RECURSION_DESIRED };
  const answer = await sendQuestion(resolver, question, ANSWER_WITHIN_MS).catch(() => undefined);
  return answer?.message.answers
    .filter(({ type }) => typeMnemonic(type) === 'TXT')
    .map(({ rdata }) => textOf(rdataFromWire('TXT', rdata).data) ?? '')
    .filter(isSpf);
}
