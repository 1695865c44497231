import { PARTS } from '../doctor/finding.js';
import {
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

/** The check of a domain, and of records that are not stored yet. */
export const CHECK_SCHEMAS: Readonly<Record<string, Schema>> = {
  Findings: object({ findings: listOf(ref('Finding')) }),
  Finding: object(
    {
      severity: { enum: ['error', 'warning', 'info'] },
      code: string,
      message: string,
      action: string,
      about: object({ name: string, type: string, target: string, data: string }, [
        'target',
        'data',
      ]),
      fix: object({ remove: listOf(ref('FixedRecord')), add: listOf(ref('FixedRecord')) }),
    },
    ['about', 'fix'],
  ),
  FixedRecord: object({ name: string, type: string, data: string, priority: orNull(integer) }),
  RecordsToCheck: object(
    {
      records: { type: 'array', items: ref('NewRecord'), minItems: 1, maxItems: 100 },
      without: { type: 'array', items: uuid, maxItems: 100 },
    },
    ['without'],
  ),
  Examination: object({
    id: uuid,
    name: string,
    serial: integer,
    checked_at: timestamp,
    state: { enum: ['ok', 'unknown', 'warning', 'error'] },
    checked: listOf({ enum: PARTS }),
    not_checked: listOf({ enum: PARTS }),
    findings: listOf(ref('Finding')),
    nameservers: listOf(
      object({ name: string, address: orNull(string), status: string, serial: orNull(integer) }),
    ),
    primaries: refOrNull('TransferState'),
  }),
};
