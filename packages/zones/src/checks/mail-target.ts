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
 * service, `strict` also rejects all others, `off` checks none.
 */
export function checkMailTarget(
  { mxTargetCheck, mailHosts }: Pick<RuleFacts, 'mxTargetCheck' | 'mailHosts'>,
  change: RecordChange,
): Violation[] {
  const target = mxTargetCheck === 'off' ? undefined : newMailTarget(change);
  if (target === undefined) return [];
  const names = mailHosts.get(target);
  const message =
    names === undefined ? outsideFault(target, mxTargetCheck) : faultOf(target, names);
  if (message === undefined) return [];
  return [{ change, kind: 'invalid', problem: { path: 'data', validator: 'mailTarget', message } }];
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

function faultOf(target: string, names: FutureNames): string | undefined {
  const owner = ancestorsOf(target).find((name) => names.get(name)?.dname !== undefined);
  if (owner !== undefined) {
    return `data ${JSON.stringify(target)} is below the DNAME record of ${JSON.stringify(owner)}, which makes it an alias; write the target of the alias (RFC 2181 section 10.3).`;
  }
  const answering = namesThatAnswer(target).find((name) => names.has(name));
  const found = answering === undefined ? undefined : names.get(answering);
  const quoted = JSON.stringify(target);
  if (found?.hasAlias === true) {
    return `data ${quoted} is an alias (CNAME); write the target of the alias (RFC 2181 section 10.3).`;
  }
  return found?.hasAddress === true
    ? undefined
    : `data ${quoted} has no A or AAAA record; create one first.`;
}
