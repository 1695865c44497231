import { defaultEmail } from '@zonewright/dns-records';
import {
  changedZoneContent,
  checkZoneAttributes,
  type createZone,
  newZoneContent,
  type Zone,
  type ZoneAttributes,
  type ZoneContent,
} from '@zonewright/zones';
import type { Problem } from '@zonewright/service-kit';
import { checkChoice, readMembers } from './http/request.js';

const CHANGEABLE = ['email', 'ttl', 'description', 'masters'];
const WRITABLE = ['name', 'type', 'attributes', ...CHANGEABLE];
/** Read-only members of a zone. A change may contain them; they are ignored. */
const READ_ONLY = [
  'id',
  'type',
  'serial',
  'status',
  'action',
  'version',
  'pool_id',
  'project_id',
  'attributes',
  'transferred_at',
  'created_at',
  'updated_at',
  'links',
];

/** Content of a zone to be created. */
interface NewZone {
  readonly content: Parameters<typeof createZone>[1];
  /** Objects with addresses, not validated yet. Undefined for a primary zone. */
  readonly primaries: readonly unknown[] | undefined;
}

/** Reads the body of Create Zone. @throws ServiceError `invalid` with all problems. */
export function readNewZone(body: unknown): NewZone {
  const { values, problems } = readMembers(body, WRITABLE);
  const { type, masters, attributes, ...content } = values;
  const isSecondary = type === 'SECONDARY';
  const zone = newZoneContent({
    values: isSecondary ? withEmail(content) : content,
    problems: [
      ...problems,
      ...checkChoice('type', type, ['PRIMARY', 'SECONDARY']),
      ...(isSecondary ? [] : checkMasters(masters)),
      ...checkZoneAttributes(attributes),
    ],
  });
  const given = attributes === undefined ? {} : { attributes: attributes as ZoneAttributes };
  return {
    content: { ...zone, ...given },
    primaries: isSecondary ? readMasters(masters) : undefined,
  };
}

/** Reads the body of Update Zone. Missing members are not changed. @throws ServiceError `invalid` with all problems */
export function readZoneUpdate(body: unknown, zone: Zone, isSecondary: boolean): ZoneContent {
  const { values, problems } = readMembers(body, ['name', ...CHANGEABLE], READ_ONLY);
  const { masters, ...content } = values;
  const ofMasters = isSecondary ? [] : checkMasters(masters);
  return changedZoneContent({ values: content, problems: [...problems, ...ofMasters] }, zone);
}

/** Returns the primaries in the body of Update Zone for a secondary zone. Undefined if they are not changed. */
export function readNewMasters(body: unknown): readonly unknown[] | undefined {
  const { masters } = readMembers(body, ['name', ...CHANGEABLE], READ_ONLY).values;
  return masters === undefined ? undefined : readMasters(masters);
}

/**
 * Reads masters in the formats of Designate: `192.0.2.1`, `192.0.2.1:53` or `[2001:db8::1]:53`. The result is validated
 * later.
 */
function readMasters(masters: unknown): readonly unknown[] {
  if (!Array.isArray(masters)) return [];
  return masters.map((master: unknown) => {
    const text = typeof master === 'string' ? master : '';
    const match = MASTER.exec(text);
    if (match === null) return { address: text };
    const [, v6 = '', v4 = '', port = ''] = match;
    return { address: v6 === '' ? v4 : v6, port: Number(port) };
  });
}

const MASTER = /^(?:\[([0-9A-Fa-f:.]{2,45})\]|([0-9.]{7,15})):([0-9]{1,5})$/;

/** A secondary zone needs no email address: its SOA record comes from the primary. */
function withEmail(content: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { name } = content;
  if (content['email'] !== undefined || typeof name !== 'string') return content;
  return { ...content, email: defaultEmail(name) };
}

function checkMasters(masters: unknown): Problem[] {
  if (masters === undefined || (Array.isArray(masters) && masters.length === 0)) return [];
  const message = 'masters is for SECONDARY zones only; leave it out, or write an empty list.';
  return [{ path: 'masters', validator: 'disallowed', message }];
}
