import { PATIENCE, sendQuery, type NameserverAddress } from '@zonewright/testkit';
import { setTimeout as delay } from 'node:timers/promises';

/** Time that a resolver waits for an answer before it queries another nameserver. */
const TIMEOUT_MS = 2_000 * PATIENCE;
const PAUSE_MS = 50;

/** Queries a nameserver for the SOA of a zone repeatedly, as resolvers do. */
export class NameserverWatch {
  readonly #address: NameserverAddress;
  readonly #zone: string;
  readonly #asking: Promise<void>;
  #isOver = false;
  #isSilent = false;
  /** Answered serials in order. */
  readonly serials: number[] = [];
  /** Number of outages: consecutive queries without an SOA in the answer count once. */
  silences = 0;

  /** @param zone name with a trailing dot */
  constructor(address: NameserverAddress, zone: string) {
    this.#address = address;
    this.#zone = zone.slice(0, -1);
    this.#asking = this.#askOn();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#asking;
  }

  /** Whether the serials never decreased. */
  get isRising(): boolean {
    return this.serials.every((serial, at) => serial >= (this.serials[at - 1] ?? 0));
  }

  async #askOn(): Promise<void> {
    while (!this.#isOver) {
      const serial = await this.#askSerial().catch(() => undefined);
      if (serial !== undefined) this.serials.push(serial);
      else if (!this.#isSilent) this.silences++;
      this.#isSilent = serial === undefined;
      await delay(PAUSE_MS);
    }
  }

  async #askSerial(): Promise<number | undefined> {
    const { answers } = await sendQuery(this.#address, this.#zone, 'SOA', {
      timeoutMs: TIMEOUT_MS,
    });
    const [soa] = answers;
    return soa?.type === 'SOA' ? soa.data.serial : undefined;
  }
}
