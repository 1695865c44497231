import { TSIG_ALGORITHMS } from '@zonewright/zones';
import {
  integer,
  listOf,
  object,
  orNull,
  ref,
  type Schema,
  string,
  timestamp,
  uuid,
} from './schema-parts.js';

const times = { created_at: timestamp, updated_at: orNull(timestamp) };
const links = { links: object({ self: string }) };
const zoneLinks = { links: object({ self: string, zone: string }, ['zone']) };
const description = { type: ['string', 'null'], maxLength: 160 } as const;

function list(member: string, item: string): Schema {
  return object({
    [member]: listOf(ref(item)),
    links: object({ self: string, next: string }, ['next']),
    metadata: object({ total_count: integer }),
  });
}

const task = {
  id: uuid,
  status: { enum: ['PENDING', 'COMPLETE', 'ERROR'] },
  message: orNull(string),
  zone_id: orNull(uuid),
  project_id: string,
  version: integer,
  ...times,
};

const rule = { id: uuid, description, ...times, ...links };

const tsigKey = {
  name: string,
  algorithm: { enum: TSIG_ALGORITHMS },
  scope: { enum: ['POOL', 'ZONE'] },
  resource_id: uuid,
};

/** Schemas of exports, imports, transfers, shares, name rules and TSIG keys. */
export const EXCHANGE_SCHEMAS: Readonly<Record<string, Schema>> = {
  ZoneExportV2: object({
    ...task,
    location: string,
    links: object({ self: string, export: string }),
  }),
  ZoneExportsV2: list('exports', 'ZoneExportV2'),
  ZoneImportV2: object({ ...task, ...zoneLinks }),
  ZoneImportsV2: list('imports', 'ZoneImportV2'),
  TransferRequestInputV2: object({ target_project_id: orNull(string), description }, [
    'target_project_id',
    'description',
  ]),
  TransferRequestV2: object({
    id: uuid,
    zone_id: uuid,
    zone_name: string,
    description,
    status: { enum: ['ACTIVE', 'COMPLETE'] },
    project_id: orNull(string),
    target_project_id: orNull(string),
    key: orNull(string),
    ...times,
    ...links,
  }),
  TransferRequestsV2: list('transfer_requests', 'TransferRequestV2'),
  TransferAcceptInputV2: object({ zone_transfer_request_id: uuid, key: string }),
  TransferAcceptV2: object({
    id: uuid,
    zone_id: uuid,
    zone_transfer_request_id: uuid,
    project_id: string,
    status: { enum: ['COMPLETE'] },
    key: orNull(string),
    ...times,
    ...zoneLinks,
  }),
  TransferAcceptsV2: list('transfer_accepts', 'TransferAcceptV2'),
  ZoneShareInputV2: object({ target_project_id: string }),
  ZoneShareV2: object({
    id: uuid,
    zone_id: uuid,
    project_id: string,
    target_project_id: string,
    ...times,
    ...zoneLinks,
  }),
  ZoneSharesV2: list('shared_zones', 'ZoneShareV2'),
  TldInputV2: object({ name: string, description }, ['name', 'description']),
  TldV2: object({ name: string, ...rule }),
  TldsV2: list('tlds', 'TldV2'),
  BlacklistInputV2: object({ pattern: string, description }, ['pattern', 'description']),
  BlacklistV2: object({ pattern: string, ...rule }),
  BlacklistsV2: list('blacklists', 'BlacklistV2'),
  TsigKeyInputV2: object({ ...tsigKey, secret: string }, [...Object.keys(tsigKey), 'secret']),
  TsigKeyV2: object({ id: uuid, ...tsigKey, secret: orNull(string), ...times, ...links }),
  TsigKeysV2: list('tsigkeys', 'TsigKeyV2'),
};
