import { RECORD_TYPES } from '@zonewright/dns-records';
import { CHANGE_SOURCES } from '@zonewright/zones';
import { CHECK_SCHEMAS } from './check-schemas.js';
import { V2_SCHEMAS } from './v2-schemas.js';
import {
  boolean,
  integer,
  listOf,
  object,
  orNull,
  ref,
  refOrNull,
  type Schema,
  string,
  timestamp,
  uuid,
} from './schema-parts.js';
import { FILE_COLUMNS, FILE_LINES, FILE_SCHEMAS } from './file-schemas.js';
import { TRANSFER_SCHEMAS } from './transfer-schemas.js';

const ttl = { type: 'integer', minimum: 0, maximum: 2_147_483_647 } as const;
const description = { type: 'string', maxLength: 160 } as const;
/** Other types are written as TYPE and the number (RFC 3597 s5). */
const recordType = {
  anyOf: [
    { enum: Object.keys(RECORD_TYPES) },
    { type: 'string', pattern: '^TYPE[1-9][0-9]{0,4}$' },
  ],
} as const;
const priority = { type: 'integer', minimum: 0, maximum: 65_535 } as const;

const CHANGES = [
  ...['create', 'update', 'delete', 'undelete'].map((what) => `domain-${what}`),
  ...['create', 'update', 'delete'].map((what) => `record-${what}`),
];
/** A domain or a record before or after a change. */
const image = { type: ['object', 'null'], additionalProperties: true } as const;

const newDomain = { name: string, email: string, ttl, description: orNull(description) };
const domain = {
  id: uuid,
  ...newDomain,
  serial: integer,
  created_at: timestamp,
  updated_at: orNull(timestamp),
};
const newRecord = {
  name: string,
  type: recordType,
  data: string,
  ttl: orNull(ttl),
  priority: orNull(priority),
  description: orNull(description),
};

/**
 * Members of a record that the specification does not have. They are shown with `extended=true`, or if the request
 * writes one of them.
 */
const flags = {
  disabled: boolean,
  expires_at: orNull(timestamp),
  tags: listOf(string),
};
const FLAGS = Object.keys(flags);

const record = {
  id: uuid,
  ...newRecord,
  ...flags,
  // Domains with primaries contain types that users cannot write, such as SOA and RRSIG.
  type: string,
  domain_id: uuid,
  created_at: timestamp,
  updated_at: orNull(timestamp),
};

/** Common members of changes and groups of changes. */
const change = {
  id: integer,
  serial_before: orNull(integer),
  serial_after: integer,
  user_id: string,
  request_id: string,
  changed_at: timestamp,
};
/** These members are present only with `extended=true`. */
const author = {
  user_name: orNull(string),
  access_key_id: orNull(string),
  source: { enum: [...CHANGE_SOURCES, null] },
  note: orNull(string),
};

const step = {
  ...change,
  counts: { type: 'object', additionalProperties: integer },
  names: listOf(string),
} as const;

/** Publication of a change. */
const publication = {
  state: { enum: ['pending', 'published'] },
  applied: integer,
  live: integer,
  total: integer,
};

/** First members of a response with a plan. */
const outcome = {
  dry_run: boolean,
  outcome: { enum: ['would_apply', 'would_refuse'] },
  errors: listOf(ref('Problem')),
};
const OF_DRY_RUNS = ['outcome', 'errors'];

/** JSON Schema (2020-12, as in OpenAPI 3.1) of all bodies of the API. */
export const SCHEMAS: Readonly<Record<string, Schema>> = {
  NewDomain: object(newDomain, ['ttl', 'description']),
  DomainUpdate: object(newDomain, Object.keys(newDomain)),
  Domain: object(domain),
  /** Contains the difference on a dry run. */
  RestoredDomain: object({ ...domain, difference: ref('Difference') }, ['difference']),
  Difference: object({
    create: listOf(ref('ListedRecord')),
    update: listOf(object({ before: ref('ListedRecord'), after: ref('ListedRecord') })),
    delete: listOf(ref('ListedRecord')),
    complete: boolean,
  }),
  Domains: object({ domains: listOf(ref('ListedDomain')) }),
  /** Contains the members that `extended=true` or `deleted=true` request. */
  ListedDomain: object(
    {
      ...domain,
      record_count: integer,
      last_change: {
        anyOf: [
          object({ at: timestamp, user_id: string, user_name: orNull(string) }),
          { type: 'null' },
        ],
      },
      deleted_at: timestamp,
      undelete_until: timestamp,
    },
    ['record_count', 'last_change', 'deleted_at', 'undelete_until'],
  ),
  NewRecord: object({ ...newRecord, ...flags }, ['ttl', 'priority', 'description', ...FLAGS]),
  RecordUpdate: object({ ...newRecord, ...flags }, [...Object.keys(newRecord), ...FLAGS]),
  Record: object(record, FLAGS),
  /** The first two members are absent if the operator has configured so, or for clients that reject unknown members. */
  ListedRecord: object({ ...record, tenant_id: string, version: integer, effective_ttl: integer }, [
    'tenant_id',
    'version',
    'effective_ttl',
    ...FLAGS,
  ]),
  Records: object({ records: listOf(ref('ListedRecord')) }),
  /** Data of one event; `gap` has none. */
  Event: { anyOf: [ref('ChangeEvent'), ref('PublicationEvent'), object({})] },
  /**
   * Event for a restricted key, which may not read all records: it contains only values that the domain itself shows.
   */
  ChangeEvent: object({ domain_id: uuid, domain_name: string, ...step, ...author }, [
    ...Object.keys(step).filter((member) => !['serial_after', 'changed_at'].includes(member)),
    ...Object.keys(author),
  ]),
  PublicationEvent: object({
    domain_id: uuid,
    domain_name: string,
    serial: integer,
    ...publication,
    nameservers: listOf(object({ name: string, applied: boolean, live: boolean })),
  }),
  Found: object({
    domains: listOf(ref('Domain')),
    records: listOf(
      object({ ...record, tenant_id: string, version: integer, domain_name: string }, FLAGS),
    ),
  }),
  Servers: object({
    servers: listOf(
      object(
        {
          id: uuid,
          name: string,
          created_at: timestamp,
          updated_at: orNull(timestamp),
          ipv4: orNull(string),
          ipv6: orNull(string),
        },
        ['ipv4', 'ipv6'],
      ),
    ),
  }),
  Limits: object({
    limits: object(
      {
        absolute: object({ maxDomainRecords: integer, maxDomains: integer }),
        used: object({ domains: integer, records: integer }),
      },
      ['used'],
    ),
  }),
  Version: object({
    id: string,
    status: string,
    updated: string,
    links: listOf(object({ rel: string, href: string })),
  }),
  Versions: object({ versions: object({ values: listOf(ref('Version')) }) }),
  VersionDetails: object({ version: ref('Version') }),
  Batch: object(
    {
      operations: listOf(
        object(
          {
            action: { enum: ['create', 'update', 'delete'] },
            id: uuid,
            if_version: { type: 'integer', minimum: 1 },
            record: ref('RecordUpdate'),
          },
          ['id', 'if_version', 'record'],
        ),
      ),
      atomic: boolean,
      confirm: boolean,
    },
    ['atomic', 'confirm'],
  ),
  BatchResult: object(
    {
      ...outcome,
      serial: integer,
      results: listOf(
        object({
          action: string,
          status: { enum: ['done', 'would_do', 'unchanged', 'refused'] },
          record: refOrNull('ListedRecord'),
          errors: listOf(ref('Problem')),
        }),
      ),
    },
    OF_DRY_RUNS,
  ),
  Changes: object(
    {
      changes: listOf(
        object(
          {
            ...change,
            action: { enum: CHANGES },
            record_id: orNull(uuid),
            before: image,
            after: image,
            ...author,
          },
          Object.keys(author),
        ),
      ),
      steps: listOf(object({ ...step, ...author })),
      history_begins: {
        anyOf: [object({ serial: integer, changed_at: timestamp }), { type: 'null' }],
      },
    },
    ['steps'],
  ),
  Publication: object({
    serial: integer,
    committed_at: timestamp,
    ...publication,
    nameservers: listOf(
      object({
        name: string,
        applied: boolean,
        applied_at: orNull(timestamp),
        delay_ms: orNull(integer),
        live: boolean,
      }),
    ),
    primaries: refOrNull('TransferState'),
  }),
  AnsweredRecord: object({ name: string, type: string, ttl: integer, data: string }),
  NameserverAnswers: object({
    name: string,
    type: string,
    nameservers: listOf(
      object({
        name: string,
        /** The address as host:port; null if it is unknown. */
        address: orNull(string),
        /** An RCODE, or `no answer`. */
        status: string,
        transport: { enum: ['udp', 'tcp', null] },
        authoritative: boolean,
        milliseconds: orNull({ type: 'number' }),
        records: listOf(ref('AnsweredRecord')),
        authority: listOf(ref('AnsweredRecord')),
        differs: boolean,
      }),
    ),
  }),
  Nameservers: object({
    nameservers: listOf(
      object({
        name: string,
        ipv4: orNull(string),
        ipv6: orNull(string),
        live: boolean,
        address: orNull(string),
        software: orNull(string),
        version: orNull(string),
        position: orNull(string),
        lag_ms: orNull(integer),
        heartbeat_age_ms: orNull(integer),
        zones: orNull(integer),
        failed_zones: orNull(integer),
        image_bytes: orNull(integer),
        started_at: orNull(timestamp),
        applied_at: orNull(timestamp),
        heartbeat_at: orNull(timestamp),
      }),
    ),
  }),
  ...CHECK_SCHEMAS,
  DnssecForm: object(
    {
      enabled: { const: true },
      algorithm: { enum: [13, 15], default: 13 },
      foreign_keys: { type: 'array', items: string, maxItems: 6 },
    },
    ['algorithm', 'foreign_keys'],
  ),
  Dnssec: object({
    enabled: boolean,
    state: { enum: ['unsigned', 'signing', 'signed', 'leaving', 'unsigning'] },
    algorithm: orNull(integer),
    catching_up: boolean,
    ds: listOf(string),
    dnskey: listOf(string),
    cds: { enum: ['wait', 'publish', 'delete', null] },
    ds_from: orNull(timestamp),
    keys: listOf(
      object({
        key_tag: integer,
        algorithm: integer,
        state: { enum: ['unlisted', 'published', 'active', 'retiring'] },
        published_at: timestamp,
      }),
    ),
    foreign_keys: listOf(
      object({
        dnskey: string,
        key_tag: integer,
        state: { enum: ['coming', 'published', 'leaving'] },
      }),
    ),
    parent: orNull(object({ checked_at: timestamp, agreed: boolean, ds: listOf(string) })),
    missing: orNull(string),
  }),
  Restore: object({ serial: integer, confirm: boolean }, ['confirm']),
  Import: object(
    {
      zonefile: string,
      mode: { enum: ['merge', 'replace'] },
      on_error: { enum: ['refuse', 'skip'] },
      confirm: boolean,
      name: string,
      email: string,
      columns: FILE_COLUMNS,
    },
    ['mode', 'on_error', 'confirm', 'name', 'email', 'columns'],
  ),
  ...FILE_SCHEMAS,
  ImportResult: object(
    {
      ...outcome,
      domain: ref('Domain'),
      created: integer,
      updated: integer,
      deleted: integer,
      unchanged: integer,
      not_taken: FILE_LINES,
      not_taken_count: integer,
      form: string,
      notes: FILE_LINES,
      difference: ref('Difference'),
    },
    [...OF_DRY_RUNS, 'difference'],
  ),
  ...TRANSFER_SCHEMAS,
  Problem: object({ path: string, message: string, validator: string }),
  Error: object({
    code: integer,
    type: string,
    message: string,
    errors: listOf(ref('Problem')),
    request_id: string,
  }),
  ...V2_SCHEMAS,
};
