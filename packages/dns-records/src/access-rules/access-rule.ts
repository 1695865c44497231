import { matchesNamePattern, namePatternExpression } from './name-pattern.js';

/**
 * Actions on records: `read` shows them, `update` creates, changes and deletes them, `transfer` sends the whole zone.
 */
export const ACCESS_ACTIONS = ['read', 'update', 'transfer'] as const;
export type AccessAction = (typeof ACCESS_ACTIONS)[number];

/** Wildcard for every zone of the tenant, or every type. */
export const ANY = '*';

/** Permission of a restricted key. A key may do what any of its rules allows, and nothing else. */
export interface AccessRule {
  /** Canonical name of one zone, or `*`. */
  readonly zone: string;
  /** Pattern in its normal form (readNamePattern). */
  readonly name: string;
  /** Mnemonics of types, or only `*`. */
  readonly types: readonly string[];
  readonly actions: readonly AccessAction[];
}

/** Location of a record, which rules are matched against. Both names are canonical. */
export interface RecordScope {
  readonly zone: string;
  readonly name: string;
  readonly type: string;
}

export function isAboutZone(rule: AccessRule, zone: string): boolean {
  return rule.zone === ANY || rule.zone === zone;
}

/** Whether one of the rules allows one of the actions on a record. */
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

/** Expression that matches nothing. */
const NOTHING = '^$';

/**
 * Returns the rules for the records of one zone as a PostgreSQL regular expression. It is matched against the type, a
 * blank and the name, so each row is checked once, however many rules there are.
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
