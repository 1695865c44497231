import { purgeDeletedAccessKeys } from '../access-keys/access-key-store.js';
import type { Context } from '../context.js';
import { deleteExpiredTokenStates } from '../tokens/token-state-store.js';

const INTERVAL_MS = 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

interface MaintenanceContext extends Pick<Context, 'db' | 'clock'> {
  readonly settings: Pick<Context['settings'], 'accessKeyPurgeDays'>;
}

/** What time makes necessary: purges deleted access keys, forgets the state of expired tokens. */
export async function maintain({ db, clock, settings }: MaintenanceContext): Promise<void> {
  const now = clock.now();
  await deleteExpiredTokenStates(db, new Date(now));
  await purgeDeletedAccessKeys(db, new Date(now - settings.accessKeyPurgeDays * DAY_MS));
}

/** Maintains once an hour. Several replicas may do so at once: each statement can be repeated. */
export class Maintenance {
  readonly #context: MaintenanceContext & Pick<Context, 'log'>;
  #timer: NodeJS.Timeout | undefined;

  constructor(context: MaintenanceContext & Pick<Context, 'log'>) {
    this.#context = context;
  }

  start(): void {
    this.#timer = setInterval(() => {
      maintain(this.#context).catch((error: unknown) => {
        this.#context.log.warn({ err: error }, 'maintenance failed; it is tried again in an hour');
      });
    }, INTERVAL_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
