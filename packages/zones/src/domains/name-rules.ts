import { type Database, lockName, SQLSTATE, errorCode } from '@zonewright/database';
import { checkDescription } from '@zonewright/dns-records';
import { invalidRequest, isUuid, type Problem, ServiceError } from '@zonewright/service-kit';
import type { InputMembers } from '../request/rules.js';
import { NamePattern } from './name-pattern.js';
import type { NameRule, NameRuleKind } from './name-rule-store.js';
import {
  deleteNameRule,
  findNameRule,
  insertNameRule,
  sumNameRules,
  updateNameRule,
} from './name-rule-store.js';
import { PatternSyntaxError } from './pattern-syntax.js';

/** Maximum number of TLD rules. It exceeds the number of public suffixes. */
const MAX_TLDS = 20_000;
/**
 * Maximum number of states in all patterns. The name of each new zone is matched against all of them within some
 * milliseconds.
 */
const MAX_ALL_STATES = 20_000;
const MAX_TLD_CHARACTERS = 253;
const TLD = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Names in the API, and the member that contains the pattern. */
const WORDS = {
  tld: { rule: 'TLD', member: 'name' },
  blacklist: { rule: 'blacklist entry', member: 'pattern' },
} as const satisfies Record<NameRuleKind, object>;

/** @throws ServiceError `not-found` */
export async function getNameRule(db: Database, kind: NameRuleKind, id: string): Promise<NameRule> {
  const rule = isUuid(id) ? await findNameRule(db, kind, id) : undefined;
  if (rule === undefined) throw notFound(kind);
  return rule;
}

/** @throws ServiceError `invalid`, `conflict` or `over-quota` */
export async function createNameRule(
  trx: Database,
  kind: NameRuleKind,
  draft: InputMembers,
): Promise<NameRule> {
  const content = readContent(kind, draft, undefined);
  await requireRoom(trx, kind, content.states);
  return await orTaken(kind, content.pattern, () => insertNameRule(trx, { kind, ...content }));
}

/** Changes the given members. @throws ServiceError `not-found`, and as createNameRule does */
export async function changeNameRule(
  trx: Database,
  kind: NameRuleKind,
  id: string,
  draft: InputMembers,
): Promise<NameRule> {
  const rule = await getNameRule(trx, kind, id);
  const content = readContent(kind, draft, rule);
  await requireRoom(trx, kind, content.states, rule);
  return await orTaken(kind, content.pattern, () => updateNameRule(trx, { id, ...content }));
}

/** @throws ServiceError `not-found` */
export async function removeNameRule(trx: Database, kind: NameRuleKind, id: string): Promise<void> {
  if (!isUuid(id) || !(await deleteNameRule(trx, kind, id))) throw notFound(kind);
}

function readContent(
  kind: NameRuleKind,
  { values, problems }: InputMembers,
  stored: NameRule | undefined,
): Pick<NameRule, 'pattern' | 'states' | 'description'> {
  const { member } = WORDS[kind];
  const { description = stored?.description ?? null } = values;
  const pattern = values[member] ?? stored?.pattern;
  const read = kind === 'tld' ? readTld(pattern) : readPattern(pattern);
  const all = [
    ...problems,
    ...(typeof read === 'string' ? [{ path: member, validator: 'format', message: read }] : []),
    ...checkDescription(description),
  ] satisfies Problem[];
  if (all.length > 0 || typeof read === 'string') throw invalidRequest(all);
  return { ...read, description: description as string | null };
}

type Read = Pick<NameRule, 'pattern' | 'states'>;

/** Returns a text with the problem if the value is invalid. */
function readTld(value: unknown): Read | string {
  const name = typeof value === 'string' ? value.toLowerCase() : '';
  if (name.length <= MAX_TLD_CHARACTERS && TLD.test(name)) return { pattern: name, states: 0 };
  return 'name must be a domain name without a trailing dot, such as "com" or "co.uk"; write internationalized names as A-labels, such as "xn--p1ai".';
}

function readPattern(value: unknown): Read | string {
  if (typeof value !== 'string') {
    return 'pattern must be a string: a regular expression such as "^(.*\\\\.)?example\\\\.com\\\\.$".';
  }
  try {
    return { pattern: value, states: NamePattern.compile(value).stateCount };
  } catch (error) {
    if (!(error instanceof PatternSyntaxError)) throw error;
    return `pattern ${error.message}.`;
  }
}

async function requireRoom(
  trx: Database,
  kind: NameRuleKind,
  states: number,
  stored?: NameRule,
): Promise<void> {
  // The lock prevents two requests from both adding the last rule.
  await lockName(trx, 'nameRules', kind);
  const sum = await sumNameRules(trx, kind);
  if (kind === 'tld' && stored === undefined && sum.count >= MAX_TLDS) {
    throw new ServiceError('over-quota', `There are ${MAX_TLDS} TLDs, which is the maximum.`);
  }
  if (sum.states - (stored?.states ?? 0) + states > MAX_ALL_STATES) {
    throw new ServiceError(
      'over-quota',
      `All patterns together would have ${sum.states + states} states; the maximum is ${MAX_ALL_STATES}. Delete some, or write shorter ones.`,
    );
  }
}

async function orTaken<T>(
  kind: NameRuleKind,
  pattern: string,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (errorCode(error) !== SQLSTATE.uniqueViolation) throw error;
    const { rule } = WORDS[kind];
    throw new ServiceError('conflict', `The ${rule} ${JSON.stringify(pattern)} already exists.`, {
      details: { subject: kind },
      cause: error,
    });
  }
}

function notFound(kind: NameRuleKind): ServiceError {
  return new ServiceError('not-found', `There is no ${WORDS[kind].rule} with this id.`, {
    details: { subject: kind },
  });
}
