import { FAULT_REASONS, SERVED_CONTENTS, TSIG_ALGORITHMS } from '@zonewright/zones';
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

const newPeer = {
  name: { type: 'string', minLength: 1, maxLength: 100 },
  networks: listOf(string),
  notify: listOf(object({ address: string, port: integer }, ['port'])),
  domains: { type: ['array', 'null'], items: uuid },
  catalog: boolean,
};

const primary = { address: string, port: integer };
const newPrimary = object(primary, ['port']);
const primaryKey = { name: string, algorithm: { enum: TSIG_ALGORITHMS } };

/** Schemas of transfers to peers and from primaries. */
export const TRANSFER_SCHEMAS: Readonly<Record<string, Schema>> = {
  NewPeer: object({ ...newPeer, algorithm: { enum: TSIG_ALGORITHMS } }, [
    ...['networks', 'notify', 'domains', 'catalog', 'algorithm'],
  ]),
  PeerUpdate: object(newPeer, Object.keys(newPeer)),
  Peer: object({
    id: uuid,
    ...newPeer,
    catalog_zone: orNull(string),
    key: object({ name: string, algorithm: { enum: TSIG_ALGORITHMS }, secret: orNull(string) }),
    created_at: timestamp,
    updated_at: orNull(timestamp),
  }),
  NewPrimaries: object(
    {
      primaries: listOf(newPrimary),
      key: orNull(object({ ...primaryKey, secret: string }, ['secret'])),
    },
    ['key'],
  ),
  Primaries: object({
    primaries: listOf(object(primary)),
    key: orNull(object(primaryKey)),
    state: { enum: ['answered', 'withheld'] },
    serial: orNull(integer),
    transferred_at: orNull(timestamp),
    refreshed_at: orNull(timestamp),
    next_at: timestamp,
    failures: integer,
    problem: orNull(string),
    reason: { enum: [...FAULT_REASONS, null] },
    action: orNull(string),
  }),
  TransferState: object({
    /**
     * `stale` means that nameservers answer with the data of `refreshed_at`; with `expired` and `none` they answer
     * SERVFAIL.
     */
    content: { enum: SERVED_CONTENTS },
    reason: { enum: [...FAULT_REASONS, null] },
    /** The faults of the primaries, by their addresses. */
    problem: orNull(string),
    action: orNull(string),
    refreshed_at: orNull(timestamp),
  }),
  Peers: object({ peers: listOf(ref('Peer')) }),
  PeerStates: object({
    peers: listOf(
      object({
        id: uuid,
        name: string,
        serial: orNull(integer),
        asked_at: orNull(timestamp),
        lag_seconds: orNull(integer),
        notified_serial: orNull(integer),
        notify_answer: orNull(string),
        notified_at: orNull(timestamp),
      }),
    ),
  }),
};
