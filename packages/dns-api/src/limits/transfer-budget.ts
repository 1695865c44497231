import { BoundedMap, type Clock, type Logger } from '@zonewright/service-kit';
import type { SharedUsage } from './write-budget.js';

interface TransferBudgetOptions {
  /** The usage across all replicas; undefined if each process counts alone. */
  readonly shared: Pick<SharedUsage, 'addUpTo'> | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A signed request for a transfer. */
interface Transfer {
  readonly accessKeyId: string;
  readonly tenantId: string;
  /** Digest that identifies a repeated message (`requestDigest`). */
  readonly digest: string;
  /** Time in seconds for which the message is valid before and after it was signed. */
  readonly fudge: number;
}

const MINUTE_MS = 60_000;
const TRANSFERS_OF_KEY = 10;
/** A tenant may have many keys. */
const TRANSFERS_OF_TENANT = 60;
/** Usages that this process counts while Redis is away. */
const MAX_COUNTED = 20_000;

const REPEATED = 'This message was used before; sign another one.';
const TOO_MANY_OF_KEY = `An access key may transfer ${TRANSFERS_OF_KEY} times a minute; try again later.`;
const TOO_MANY_OF_TENANT = `The keys of a project may transfer ${TRANSFERS_OF_TENANT} times a minute; try again later.`;

/**
 * Limits transfers by access key, for each key and for each tenant. A signed message is valid for one transfer, since a
 * copy of it stays valid until its time is over (RFC 8945 s10.2).
 */
export class TransferBudget {
  readonly #options: TransferBudgetOptions;
  readonly #counted = new BoundedMap<string, number>(MAX_COUNTED);

  constructor(options: TransferBudgetOptions) {
    this.#options = options;
  }

  /** Counts a transfer. Returns the reason if the transfer exceeds a limit. */
  async take({ accessKeyId, tenantId, digest, fudge }: Transfer): Promise<string | undefined> {
    const message = `message:${digest}`;
    // A repeated message does not use up the transfers of its key.
    if (!(await this.#add(message, 1, 1))) return REPEATED;
    const cost = (most: number) => MINUTE_MS / most;
    if (!(await this.#add(`key:${accessKeyId}`, cost(TRANSFERS_OF_KEY), MINUTE_MS)))
      return TOO_MANY_OF_KEY;
    if (!(await this.#add(`tenant:${tenantId}`, cost(TRANSFERS_OF_TENANT), MINUTE_MS)))
      return TOO_MANY_OF_TENANT;
    const validMs = 2 * (fudge + 1) * 1_000;
    return (await this.#add(message, validMs, validMs + 1)) ? undefined : REPEATED;
  }

  /** Adds to a usage, which decreases with time. Returns false, and adds nothing, if it would exceed the limit. */
  async #add(name: string, ms: number, mostMs: number): Promise<boolean> {
    const { shared, log } = this.#options;
    try {
      if (shared !== undefined) return await shared.addUpTo(`transfers:${name}`, ms, mostMs);
    } catch (error) {
      log.debug({ err: error }, 'the limits of transfers apply to each process separately');
    }
    const now = this.#options.clock.now();
    const until = Math.max(now, this.#counted.get(name) ?? 0) + ms;
    if (until - now > mostMs) return false;
    this.#counted.set(name, until);
    return true;
  }
}
