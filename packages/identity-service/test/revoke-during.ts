import { expect } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import { setTimeout as delay } from 'node:timers/promises';
import { tokenOf } from './client.js';
import { revoke, statusOf } from './ends-of-tokens.js';
import { type IdentityHandle, type RunningIdentity, waitUntilOnRedis } from './use-identity.js';

const REVOKING_PAUSE_MS = 50;
const PROGRESS_ROUNDS = 5;

/** The work done during a fault; none of the revoked tokens was accepted afterwards. */
interface Revoking {
  readonly revoked: number;
  /** The longest time without an acknowledged log-in and revocation. */
  readonly refusedMs: number;
}

/** Counts the tokens that were revoked during one kind of fault, and the time that it took. */
export class FailoverTally {
  readonly #title: string;
  readonly #seconds: number[] = [];
  readonly #refused: number[] = [];
  #revoked = 0;

  constructor(title: string) {
    this.#title = title;
  }

  /** @param revoking the counts of `revokeDuring` */
  async add(revoking: Promise<Revoking>): Promise<void> {
    const since = performance.now();
    const { revoked, refusedMs } = await revoking;
    expect(revoked).toBeGreaterThan(1);
    this.#revoked += revoked;
    this.#refused.push(refusedMs / 1000);
    this.#seconds.push((performance.now() - since) / 1000);
    if (this.#seconds.length % PROGRESS_ROUNDS === 0) this.print();
  }

  get times(): number {
    return this.#seconds.length;
  }

  print(): void {
    process.stdout.write(
      `${this.#title}: ${this.#seconds.length} times, ${this.#revoked} tokens revoked meanwhile, none accepted; revocations refused for ${describeSeconds(this.#refused)}, back on Redis after ${describeSeconds(this.#seconds)}\n`,
    );
  }
}

function describeSeconds(seconds: readonly number[]): string {
  const sorted = seconds.toSorted((a, b) => a - b);
  const [median = 0, most = 0] = [sorted[sorted.length >> 1], sorted.at(-1)];
  return `${median.toFixed(1)} s (${most.toFixed(1)} at most)`;
}

/**
 * Revokes tokens at one replica and checks them at the other, until both use Redis again afterwards; no revoked token
 * may be accepted.
 */
export async function revokeDuring(
  { world }: Pick<IdentityHandle, 'world'>,
  replicas: readonly RunningIdentity[],
  change: () => Promise<void>,
): Promise<Revoking> {
  const [here, there] = replicas.map(({ url }) => url) as [string, string];
  const old = await tokenOf(here, world.user);
  expect(await statusOf(there, old)).toBe(200);
  expect(await revoke(here, old)).toBe(204);
  const progress = { isOver: false };
  const over = change().finally(() => (progress.isOver = true));
  const revoked = [old];
  let [refusedMs, acknowledged] = [0, performance.now()];
  while (!progress.isOver) {
    const token = await tokenOf(there, world.user).catch(() => undefined);
    if (token !== undefined && (await revoke(here, token)) === 204) {
      revoked.push(token);
      refusedMs = Math.max(refusedMs, performance.now() - acknowledged);
      acknowledged = performance.now();
    }
    for (const each of revoked.slice(-3)) expect(await statusOf(there, each)).not.toBe(200);
    // The failover itself needs the processor, too.
    await delay(REVOKING_PAUSE_MS);
  }
  await over;
  await Promise.all(replicas.map(waitUntilOnRedis));
  for (const token of revoked) {
    await waitFor(async () => {
      const status = await statusOf(there, token);
      expect(status).not.toBe(200);
      return status === 401;
    });
  }
  return { revoked: revoked.length, refusedMs };
}
