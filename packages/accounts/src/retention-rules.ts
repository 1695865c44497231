import { byAge, type RetentionRule } from '@zonewright/database';
import { STATE_RETENTION_MS } from './tokens/token-claims.js';

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

/** Number of days for which deleted and expired objects are stored. */
interface KeptDays {
  readonly accessKeyPurgeDays: number;
  readonly retention: { readonly purgedKeyDays: number; readonly retiredSigningKeyDays: number };
}

/** Retention rules for the schema identity (docs/operations/retention.md). */
export function retentionRules({
  accessKeyPurgeDays,
  retention,
}: KeptDays): readonly RetentionRule[] {
  const isDeleted = `keys.status = 'deleted'`;
  const isPurged = `keys.status = 'purged'`;
  return [
    byAge({
      // An expired token cannot be used, so its revocation is no longer needed.
      kind: 'token-states',
      everyMs: HOUR_MS,
      keptMs: STATE_RETENTION_MS,
      oldest: 'select min(states.expires_at) as oldest from identity.token_state as states',
      remove: `
        delete from identity.token_state as states where states.token_jti in
               (select old.token_jti from identity.token_state as old
                 where old.expires_at < :before order by old.expires_at limit :limit for update skip locked)
        returning states.token_jti`,
    }),
    byAge({
      // A deleted key becomes purged (D-ACC).
      kind: 'deleted-access-keys',
      everyMs: HOUR_MS,
      keptMs: accessKeyPurgeDays * DAY_MS,
      oldest: `select min(keys.deleted_at) as oldest from identity.access_keys as keys where ${isDeleted}`,
      remove: `
        update identity.access_keys as k set status = 'purged' where k.id in
               (select keys.id from identity.access_keys as keys
                 where ${isDeleted} and keys.deleted_at < :before limit :limit for update skip locked)
        returning k.id`,
    }),
    byAge({
      kind: 'purged-access-keys',
      everyMs: HOUR_MS,
      keptMs: (accessKeyPurgeDays + retention.purgedKeyDays) * DAY_MS,
      oldest: `select min(keys.deleted_at) as oldest from identity.access_keys as keys where ${isPurged}`,
      remove: `
        delete from identity.access_keys as k where k.id in
               (select keys.id from identity.access_keys as keys
                 where ${isPurged} and keys.deleted_at < :before limit :limit for update skip locked)
        returning k.id`,
    }),
    byAge({
      // Tokens of a retired key are rejected, with or without the row.
      kind: 'retired-signing-keys',
      everyMs: HOUR_MS,
      keptMs: retention.retiredSigningKeyDays * DAY_MS,
      oldest: 'select min(keys.retired_at) as oldest from identity.signing_keys as keys',
      remove: `
        delete from identity.signing_keys as k where k.id in
               (select keys.id from identity.signing_keys as keys where keys.retired_at < :before limit :limit)
        returning k.id`,
    }),
  ];
}
