import { matchesNamePattern, namePatternExpression } from './name-pattern.js';

/** Actions on records: `read` shows them, `update` creates, changes and deletes them, `transfer` sends the zone. */
export const ACCESS_ACTIONS = ['read', 'update', 'transfer'] as const;
export type AccessAction = (typeof ACCESS_ACTIONS)[number];

/** For zones: every zone of the tenant. For types: every type. */
export const ANY = '*';

/** One permission of a restricted key. A key may do what any of its rules allows, and nothing else. */
export interface AccessRule {
  /** The canonical name of one zone, or `*`. */
  readonly zone: string;
  /** A pattern in its normal form (readNamePattern). */
  readonly name: string;
  /** Mnemonics of types, or `*` alone. */
  readonly types: readonly string[];
  readonly actions: readonly AccessAction[];
}

/** The place of a record, as rules see it; both names canonical. */
export interface RecordScope {
  readonly zone: string;
  readonly name: string;
  readonly type: string;
}

/** Whether a rule has anything to say about a zone. */
export function isAboutZone(rule: AccessRule, zone: string): boolean {
  return rule.zone === ANY || rule.zone === zone;
}

/** Whether one of the rules lets one of the actions be done to a record there. */
export function isAllowed(
  rules: readonly AccessRule[],
  actions: readonly AccessAction[],
  { zone, name, type }: RecordScope,
): boolean {
  return rules.some(
    (rule) =>
      isAboutZone(rule, zone) &&
      rule.actions.some((action) => actions.includes(action)) &&
      (rule.types.includes(ANY) || rule.types.includes(type)) &&
      matchesNamePattern(rule.name, name, zone),
  );
}

/** Fits nothing. */
const NOTHING = '^$';

/**
 * The same for the records of one zone, as a regular expression of PostgreSQL. It is compared with the type, a blank
 * and the name. Each row is checked once, however many rules there are.
 */
export function allowedExpression(
  rules: readonly AccessRule[],
  actions: readonly AccessAction[],
  zone: string,
): string {
  const fitting = rules
    .filter((rule) => isAboutZone(rule, zone))
    .filter((rule) => rule.actions.some((action) => actions.includes(action)))
    .map((rule) => {
      const types = rule.types.includes(ANY) ? '[^ ]+' : `(?:${rule.types.join('|')})`;
      return `${types} ${namePatternExpression(rule.name, zone)}`;
    });
  return fitting.length === 0 ? NOTHING : `^(?:${fitting.join('|')})$`;
}
