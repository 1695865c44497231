import type { Problem } from '@zonewright/service-kit';

const MAX_ATTRIBUTES = 32;
const MAX_CHARACTERS = 255;
/** Control characters and halves of surrogate pairs: what no line shows, and PostgreSQL does not keep. */
const UNSHOWABLE = /[\p{Cc}\p{Cs}]/u;

/** The attribute that does something: whether the zone is signed. */
export const DNSSEC_ATTRIBUTE = 'dnssec';

/** Problems of the attributes of a new zone: texts by name. All but one are only informative. */
export function checkZoneAttributes(attributes: unknown): Problem[] {
  if (attributes === undefined) return [];
  if (typeof attributes !== 'object' || attributes === null || Array.isArray(attributes)) {
    const message = 'attributes must be an object of texts, such as {"tier": "gold"}.';
    return [{ path: 'attributes', validator: 'type', message }];
  }
  const entries = Object.entries(attributes);
  if (entries.length > MAX_ATTRIBUTES) {
    const message = `attributes has ${entries.length} members; ${MAX_ATTRIBUTES} is the most.`;
    return [{ path: 'attributes', validator: 'maxProperties', message }];
  }
  const dnssec = (attributes as Readonly<Record<string, unknown>>)[DNSSEC_ATTRIBUTE];
  if (![undefined, 'true', 'false'].includes(dnssec as string | undefined)) {
    const message = 'dnssec must be "true" or "false".';
    return [{ path: `attributes.${DNSSEC_ATTRIBUTE}`, validator: 'enum', message }];
  }
  return entries
    .filter(([name, value]) => ![name, value].every(isShowable))
    .map(([name]) => ({
      path: `attributes.${name.slice(0, MAX_CHARACTERS)}`,
      validator: 'format',
      message: `names and values of attributes are texts of 1 to ${MAX_CHARACTERS} characters, without control characters.`,
    }));
}

function isShowable(text: unknown): boolean {
  return (
    typeof text === 'string' &&
    text !== '' &&
    text.length <= MAX_CHARACTERS &&
    !UNSHOWABLE.test(text)
  );
}
