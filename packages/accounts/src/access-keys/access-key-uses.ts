import { type Database, queryRows } from '@zonewright/database';
import { BoundedMap, type Clock, type Logger } from '@zonewright/service-kit';
import { setTimeout as delay } from 'node:timers/promises';

/** Precision of the time of the last use, in milliseconds. */
const WRITTEN_EVERY_MS = 60_000;
const MAX_KEYS = 20_000;
const GATHERED_FOR_MS = 100;
const WRITTEN_AT_ONCE = 1_000;

interface Use {
  readonly id: string;
  readonly at: Date;
}

interface Dependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Records when access keys are used. No login waits for the recording or fails because of it. The first use is written
 * at once, later ones in batches: one statement for each would cost a quarter of a login.
 */
export class AccessKeyUses {
  readonly #dependencies: Dependencies;
  /** Time of the last recorded use of each key. */
  readonly #noted = new BoundedMap<string, number>(MAX_KEYS);
  /** Uses that have not been written yet. */
  #uses: Use[] = [];
  #isWriting = false;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  note(accessKeyId: string): void {
    const now = this.#dependencies.clock.now();
    const since = now - (this.#noted.get(accessKeyId) ?? -Infinity);
    // The use is also recorded if the clock was set back.
    if (since >= 0 && since < WRITTEN_EVERY_MS) return;
    // PostgreSQL is too slow. The next use will be recorded.
    if (this.#uses.length >= MAX_KEYS) return;
    this.#noted.set(accessKeyId, now);
    this.#uses.push({ id: accessKeyId, at: new Date(now) });
    if (!this.#isWriting) void this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    const { db, log } = this.#dependencies;
    while (this.#uses.length > 0) {
      const uses = this.#uses.splice(0, WRITTEN_AT_ONCE);
      try {
        await writeUses(db, uses);
      } catch (error) {
        log.warn({ err: error, count: uses.length }, 'uses of access keys could not be recorded');
        for (const { id } of uses) this.#noted.delete(id);
      }
      await delay(GATHERED_FOR_MS, undefined, { ref: false });
    }
    this.#isWriting = false;
  }
}

/** Writes the uses and skips deleted keys. The order is fixed, since other replicas write at the same time. */
async function writeUses(db: Database, uses: readonly Use[]): Promise<void> {
  await db
    .raw(
      `insert into identity.access_key_uses as uses (access_key_id, last_used_at)
       select k.id, max(u.at) from unnest(?::text[], ?::timestamptz[]) as u (id, at) join identity.access_keys as k on k.id = u.id
        group by k.id order by k.id
       on conflict (access_key_id) do update set last_used_at = excluded.last_used_at
        where uses.last_used_at < excluded.last_used_at`,
      [uses.map(({ id }) => id), uses.map(({ at }) => at)],
    )
    .options({ name: 'write-key-uses' });
}

/** Returns the last uses of these keys by id. Keys without a recorded use are missing. */
export async function listLastUses(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await queryRows<{ id: string; at: Date }>(
    db,
    `select uses.access_key_id as id, uses.last_used_at as at from identity.access_key_uses as uses
      where uses.access_key_id = any(?::text[])`,
    [[...ids]],
  );
  return new Map(rows.map(({ id, at }) => [id, at]));
}
