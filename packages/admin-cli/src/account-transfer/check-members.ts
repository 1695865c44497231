import { isId, isName, parseDate } from '@zonewright/accounts';

type Test = (value: unknown) => boolean;

/** A member: its description and its test. */
export interface Rule {
  readonly what: string;
  readonly test: Test;
  readonly isOptional?: true;
}

const isText: Test = (value) => typeof value === 'string';
/** PostgreSQL can store neither NUL nor an unpaired surrogate. */
const isStorable: Test = (value) => isText(value) && !/[\0\p{Cs}]/u.test(value as string);
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const COUNT_LIMIT = 2_147_483_647;

export const RULES = {
  id: {
    what: 'must be a string of 1 to 64 characters without blanks',
    test: (value) => isText(value) && isId(value as string),
  },
  uuid: {
    what: 'must be a UUID in lower case',
    test: (value) => isText(value) && UUID.test(value as string),
  },
  name: {
    what: 'must be a string of 1 to 320 characters, without leading or trailing blanks and control characters',
    test: (value) => isStorable(value) && isName(value as string),
  },
  text: { what: 'must be a string', test: isStorable },
  status: {
    what: 'must be enabled, suspended or disabled',
    test: (value) => ['enabled', 'suspended', 'disabled'].includes(value as string),
  },
  keyStatus: {
    what: 'must be active or inactive',
    test: (value) => ['active', 'inactive'].includes(value as string),
  },
  flag: { what: 'must be true or false', test: (value) => typeof value === 'boolean' },
  count: {
    what: `must be a whole number from 0 to ${COUNT_LIMIT}`,
    test: (value) =>
      Number.isInteger(value) && (value as number) >= 0 && (value as number) <= COUNT_LIMIT,
  },
  serial: {
    what: 'must be a whole number from 0 to 4294967295',
    test: (value) =>
      Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 32,
  },
  time: {
    what: 'must be a time such as 2026-11-21T12:00:00Z',
    test: (value) => isText(value) && TIME.test(value as string) && parseDate(value) !== undefined,
  },
  texts: {
    what: 'must be a list of strings',
    test: (value) => Array.isArray(value) && value.every(isStorable),
  },
  list: { what: 'must be a list', test: Array.isArray },
  secret: {
    what: 'must be {"plain": text} or {"sealed": base64}',
    test: (value) =>
      isRecord(value) &&
      isText(value['plain'] ?? value['sealed']) &&
      Object.keys(value).length === 1,
  },
} satisfies Record<string, Rule>;

/** Accepts the same values, null, or no value. */
export const nullable = ({ what, test }: Rule): Rule => ({
  what: `${what}, or null`,
  test: (value) => value === null || test(value),
  isOptional: true,
});

export const optional = ({ what, test }: Rule): Rule => ({ what, test, isOptional: true });

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether `value` is an object with exactly these members. Reports all problems. */
export function checkMembers(
  value: unknown,
  rules: Readonly<Record<string, Rule>>,
  { place, problems }: { readonly place: string; readonly problems: ProblemList },
): boolean {
  if (!isRecord(value)) {
    problems.add(place, 'must be an object');
    return false;
  }
  const before = problems.count;
  for (const [name, { what, test, isOptional }] of Object.entries(rules)) {
    if (value[name] === undefined) {
      if (isOptional !== true) problems.add(`${place}.${name}`, `is required and ${what}`);
    } else if (!test(value[name])) problems.add(`${place}.${name}`, what);
  }
  for (const name of Object.keys(value)) {
    if (!(name in rules)) problems.add(`${place}.${name}`, 'is not a known member');
  }
  return problems.count === before;
}

/** Limit of reported problems, so that an invalid file does not fill the screen. */
const KEPT = 200;

/** Problems of a document, each with its path: `domains[3].records[17].data: ...`. */
export class ProblemList {
  readonly #sentences: string[] = [];
  count = 0;

  add(place: string, what: string): void {
    this.count++;
    if (this.#sentences.length < KEPT) this.#sentences.push(`${place}: ${what}`);
  }

  get sentences(): string[] {
    const more = this.count - this.#sentences.length;
    return more === 0 ? this.#sentences : [...this.#sentences, `and ${more} more problems`];
  }
}
