import { type Database, hasTable, queryRows } from '@zonewright/database';
import type { Clock, Logger } from '@zonewright/service-kit';
import { BoundedMap } from '../changes/bounded-map.js';

/** When a key was last used is known to the minute. */
const WRITTEN_EVERY_MS = 60_000;
const MAX_KEYS = 20_000;

interface Dependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Notes when access keys are used, beside the work: nobody waits for it, and a log-in without it is as good. */
export class AccessKeyUses {
  readonly #dependencies: Dependencies;
  /** By key: when its use was last written. */
  readonly #written = new BoundedMap<string, number>(MAX_KEYS);

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  note(accessKeyId: string): void {
    const { db, clock, log } = this.#dependencies;
    const now = clock.now();
    const since = now - (this.#written.get(accessKeyId) ?? -Infinity);
    // A clock that was set back must not make a minute of it hours.
    if (since >= 0 && since < WRITTEN_EVERY_MS) return;
    this.#written.set(accessKeyId, now);
    writeUse(db, accessKeyId, new Date(now)).catch((error: unknown) => {
      log.warn({ err: error, accessKeyId }, 'the use of an access key was not noted');
    });
  }
}

async function writeUse(db: Database, accessKeyId: string, at: Date): Promise<void> {
  await db.raw(
    `insert into identity.access_key_uses as uses (access_key_id, last_used_at) values (?, ?)
     on conflict (access_key_id) do update set last_used_at = excluded.last_used_at
      where uses.last_used_at < excluded.last_used_at`,
    [accessKeyId, at],
  );
}

/** When these keys were last used, by id; of one that is missing nothing is noted. Before migration 0020 nothing is. */
export async function listLastUses(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  if (!(await hasTable(db, 'identity.access_key_uses'))) return new Map();
  const rows = await queryRows<{ id: string; at: Date }>(
    db,
    `select uses.access_key_id as id, uses.last_used_at as at from identity.access_key_uses as uses
      where uses.access_key_id = any(?::text[])`,
    [[...ids]],
  );
  return new Map(rows.map(({ id, at }) => [id, at]));
}
