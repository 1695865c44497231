import { ancestorsOf, RECORD_TYPES } from '@zonewright/dns-records';
import type { MxTargetCheck } from '../request/rules.js';
import { type RecordChange, served, type ServedChange, type Violation } from './record-change.js';
import type { FutureNames, RuleFacts } from './future-names.js';

/** Returns canonical targets of newly served records. Targets that were served before are not checked again. */
export function newMailTargets(changes: readonly RecordChange[], check: MxTargetCheck): string[] {
  if (check === 'off') return [];
  return [...new Set(changes.flatMap((change) => newMailTarget(change) ?? []))];
}

/**
 * Rejects MX records whose target has no address (DNS API section 4, D-REC). `hosted` checks targets in zones of this
 * service, `strict` also rejects all others, `off` checks none. In an import, `hosted` only warns if there is no address.
 */
export function checkMailTarget(
  {
    mxTargetCheck,
    mailHosts,
    warnsOfMailTargets,
  }: Pick<RuleFacts, 'mxTargetCheck' | 'mailHosts' | 'warnsOfMailTargets'>,
  change: RecordChange,
): Violation[] {
  const target = mxTargetCheck === 'off' ? undefined : newMailTarget(change);
  if (target === undefined) return [];
  const names = mailHosts.get(target);
  const message =
    names === undefined ? outsideFault(target, mxTargetCheck) : aliasFault(target, names);
  const found = (text: string, kind: Violation['kind']): Violation[] => [
    { change, kind, problem: { path: 'data', validator: 'mailTarget', message: text } },
  ];
  if (message !== undefined) return found(message, 'invalid');
  if (names === undefined || hasAddress(target, names)) return [];
  const missing = `data ${JSON.stringify(target)} has no A or AAAA record; create one first.`;
  const isWarning = warnsOfMailTargets && mxTargetCheck === 'hosted';
  return found(missing, isWarning ? 'warning' : 'invalid');
}

/**
 * Returns the names that decide about a target: its own, and the wildcards that may cover it, nearest first (RFC 4592).
 */
export function namesThatAnswer(target: string): string[] {
  return [target, ...ancestorsOf(target).map((name) => `*.${name}`)];
}

function newMailTarget(change: RecordChange): string | undefined {
  const { before, after } = served(change);
  const target = mailTarget(after);
  return target === mailTarget(before) ? undefined : target;
}

function mailTarget(record: ServedChange['after']): string | undefined {
  return record?.type === 'MX' ? (RECORD_TYPES.MX.target(record.data) ?? undefined) : undefined;
}

function outsideFault(target: string, check: MxTargetCheck): string | undefined {
  return check === 'strict'
    ? `data ${JSON.stringify(target)} is not in a domain of this service; write the name of a host in such a domain.`
    : undefined;
}

function aliasFault(target: string, names: FutureNames): string | undefined {
  const owner = ancestorsOf(target).find((name) => names.get(name)?.dname !== undefined);
  if (owner !== undefined) {
    return `data ${JSON.stringify(target)} is below the DNAME record of ${JSON.stringify(owner)}, which makes it an alias; write the target of the alias (RFC 2181 section 10.3).`;
  }
  return answerOf(target, names)?.hasAlias === true
    ? `data ${JSON.stringify(target)} is an alias (CNAME); write the target of the alias (RFC 2181 section 10.3).`
    : undefined;
}

function hasAddress(target: string, names: FutureNames): boolean {
  return answerOf(target, names)?.hasAddress === true;
}

function answerOf(target: string, names: FutureNames) {
  const answering = namesThatAnswer(target).find((name) => names.has(name));
  return answering === undefined ? undefined : names.get(answering);
}
