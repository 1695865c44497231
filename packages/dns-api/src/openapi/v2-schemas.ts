import {
  boolean,
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
import { EXCHANGE_SCHEMAS } from './v2-exchange-schemas.js';

const status = { enum: ['ACTIVE', 'PENDING', 'ERROR'] };
const action = { enum: ['CREATE', 'UPDATE', 'DELETE', 'NONE'] };
const links = object({ self: string, next: string }, ['next']);

const zoneWrites = {
  email: string,
  ttl: integer,
  description: orNull(string),
  masters: listOf(string),
};
const recordsetWrites = {
  name: string,
  type: string,
  records: listOf(string),
  ttl: orNull(integer),
  description: orNull(string),
};

const quotas = {
  zones: integer,
  zone_records: integer,
  zone_recordsets: integer,
  recordset_records: integer,
  api_export_size: integer,
};
const hosts = listOf(object({ hostname: string, priority: integer }));
const pool = object({
  id: uuid,
  name: string,
  description: string,
  project_id: orNull(string),
  ns_records: hosts,
  attributes: { type: 'object', additionalProperties: string },
  created_at: orNull(timestamp),
  updated_at: orNull(timestamp),
  links,
});

function list(member: string, item: string): Schema {
  return object({
    [member]: listOf(ref(item)),
    links,
    metadata: object({ total_count: integer }, ['total_count']),
  });
}

/** Schemas of v2. Some names have other schemas in v1. */
export const V2_SCHEMAS: Readonly<Record<string, Schema>> = {
  ZoneV2: object({
    id: uuid,
    name: string,
    type: { enum: ['PRIMARY', 'SECONDARY'] },
    email: string,
    ttl: integer,
    description: orNull(string),
    serial: integer,
    status,
    action,
    version: integer,
    pool_id: uuid,
    project_id: string,
    masters: listOf(string),
    attributes: { type: 'object', additionalProperties: string },
    transferred_at: orNull(timestamp),
    created_at: timestamp,
    updated_at: orNull(timestamp),
    links,
  }),
  ZonesV2: list('zones', 'ZoneV2'),
  /** Empty response to an accepted request. */
  AcceptedV2: object({}),
  ...EXCHANGE_SCHEMAS,
  NewZoneV2: object(
    {
      name: string,
      ...zoneWrites,
      type: { enum: ['PRIMARY', 'SECONDARY'] },
      attributes: { type: 'object', additionalProperties: string },
    },
    ['ttl', 'description', 'type', 'masters', 'attributes'],
  ),
  ZoneUpdateV2: object(zoneWrites, Object.keys(zoneWrites)),
  ZoneNameserversV2: object({
    nameservers: hosts,
  }),
  RecordsetV2: object({
    id: uuid,
    zone_id: uuid,
    zone_name: string,
    project_id: string,
    ...recordsetWrites,
    status,
    action,
    managed: boolean,
    version: integer,
    created_at: timestamp,
    updated_at: orNull(timestamp),
    links,
  }),
  RecordsetsV2: list('recordsets', 'RecordsetV2'),
  NewRecordsetV2: object(recordsetWrites, ['ttl', 'description']),
  RecordsetUpdateV2: object(recordsetWrites, Object.keys(recordsetWrites)),
  LimitsV2: object({
    max_page_limit: integer,
    max_recordset_name_length: integer,
    max_recordset_records: integer,
    max_zone_name_length: integer,
    max_zone_records: integer,
    max_zone_recordsets: integer,
    max_zones: integer,
    min_ttl: orNull(integer),
  }),
  QuotasV2: object(quotas, Object.keys(quotas)),
  PoolV2: pool,
  PoolsV2: list('pools', 'PoolV2'),
  ServiceStatusV2: object({
    id: uuid,
    service_name: string,
    hostname: string,
    status: { enum: ['UP', 'DOWN', 'WARNING'] },
    stats: { type: 'object' },
    capabilities: { type: 'object' },
    heartbeated_at: orNull(timestamp),
    created_at: orNull(timestamp),
    updated_at: orNull(timestamp),
    links,
  }),
  ServiceStatusesV2: list('service_statuses', 'ServiceStatusV2'),
};
