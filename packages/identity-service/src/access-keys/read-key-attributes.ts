import {
  isKeyName,
  MAX_KEY_DESCRIPTION_LENGTH,
  MAX_KEY_NAME_LENGTH,
  readRestriction,
  type RestrictionWish,
} from '@zonewright/accounts';
import type { Members } from '@zonewright/http-api';

/** What a key has beside what the original service gave it. */
export interface KeyAttributes {
  readonly name: string | undefined;
  readonly description: string | undefined;
  /** Undefined: none. */
  readonly restriction: RestrictionWish | undefined;
}

const ATTRIBUTES = 'otherAttributes';
/** The element that XML has in its place: the same as JSON text. */
const XML_ELEMENT = 'restrictions';
const KNOWN: readonly string[] = [
  'name',
  'description',
  'restrictions',
  'preset',
  'zone',
  'tenantId',
  'networks',
  'massDelete',
];

/**
 * Reads `otherAttributes`. A member that is not known is refused, unlike those of the key itself: a word that was
 * misspelled would make a key without restrictions.
 */
export function readKeyAttributes(members: Members): KeyAttributes {
  const attributes = readAttributes(members);
  const at = (path: string) => `${ATTRIBUTES}.${path}`;
  for (const member of attributes.keys()) {
    if (KNOWN.includes(member)) continue;
    members.problem(at(member.slice(0, 64)), `is not a member; those are ${KNOWN.join(', ')}`);
  }
  const { wish, faults } = readRestriction(attributes);
  for (const { path, what } of faults) members.problem(at(path), what);
  return {
    name: readName(members, attributes.get('name')),
    description: readDescription(members, attributes.get('description')),
    restriction: wish,
  };
}

function readAttributes(members: Members): ReadonlyMap<string, unknown> {
  const text = members.optionalText(XML_ELEMENT);
  if (text !== undefined) return new Map([['restrictions', parseJson(members, text)]]);
  const value = members.raw(ATTRIBUTES);
  if (value === undefined || value === '') return new Map();
  if (typeof value !== 'object' || Array.isArray(value)) {
    members.problem(ATTRIBUTES, 'must be an object');
    return new Map();
  }
  return new Map(Object.entries(value ?? {}));
}

function parseJson(members: Members, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    members.problem(XML_ELEMENT, 'must hold JSON: an object with the members of restrictions');
    return {};
  }
}

function readName(members: Members, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && isKeyName(value)) return value;
  members.problem(`${ATTRIBUTES}.name`, `must have 1 to ${MAX_KEY_NAME_LENGTH} characters`);
  return undefined;
}

function readDescription(members: Members, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const isText = typeof value === 'string' && !/[\0\p{Surrogate}]/u.test(value);
  if (isText && value.length <= MAX_KEY_DESCRIPTION_LENGTH) return value;
  const what = `must be a text of ${MAX_KEY_DESCRIPTION_LENGTH} characters or less`;
  members.problem(`${ATTRIBUTES}.description`, what);
  return undefined;
}
