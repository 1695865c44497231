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
import { checkChoice, readMembers } from '../http/body.js';

const CHANGEABLE = ['email', 'ttl', 'description', 'masters'];
const WRITABLE = ['name', 'type', 'attributes', ...CHANGEABLE];
/** Members of a zone as it is read; a change may carry them, and they change nothing. */
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

/** Reads the body of Create Zone. @throws ServiceError `invalid` with all problems. */
export function readNewZone(body: unknown): Parameters<typeof createZone>[1] {
  const { values, problems } = readMembers(body, WRITABLE);
  const { type, masters, attributes, ...content } = values;
  const zone = newZoneContent({
    values: content,
    problems: [
      ...problems,
      ...checkChoice('type', type, ['PRIMARY']),
      ...checkMasters(masters),
      ...checkZoneAttributes(attributes),
    ],
  });
  return attributes === undefined ? zone : { ...zone, attributes: attributes as ZoneAttributes };
}

/** Reads the body of Update Zone: what it leaves out stays as it is. @throws ServiceError `invalid` with all problems. */
export function readZoneUpdate(body: unknown, zone: Zone): ZoneContent {
  const { values, problems } = readMembers(body, ['name', ...CHANGEABLE], READ_ONLY);
  const { masters, ...content } = values;
  return changedZoneContent(
    { values: content, problems: [...problems, ...checkMasters(masters)] },
    zone,
  );
}

function checkMasters(masters: unknown): Problem[] {
  if (masters === undefined || (Array.isArray(masters) && masters.length === 0)) return [];
  const message = 'masters are of SECONDARY zones; leave it out, or write an empty list.';
  return [{ path: 'masters', validator: 'disallowed', message }];
}
