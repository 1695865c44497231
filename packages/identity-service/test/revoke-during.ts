import { expect } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import { setTimeout as delay } from 'node:timers/promises';
import { tokenOf } from './client.js';
import { revoke, statusOf } from './ends-of-tokens.js';
import { type IdentityHandle, type RunningIdentity, waitUntilOnRedis } from './use-identity.js';

const REVOKING_PAUSE_MS = 50;

/** How many tokens were revoked during faults of a kind, and how long that took. */
export class FailoverTally {
  readonly #title: string;
  readonly #seconds: number[] = [];
  #revoked = 0;

  constructor(title: string) {
    this.#title = title;
  }

  /** @param revoking what `revokeDuring` counts */
  async add(revoking: Promise<number>): Promise<number> {
    const since = performance.now();
    const count = await revoking;
    this.#revoked += count;
    this.#seconds.push((performance.now() - since) / 1000);
    return count;
  }

  print(): void {
    const most = Math.max(...this.#seconds).toFixed(1);
    process.stdout.write(
      `${this.#title}: ${this.#seconds.length} times, ${this.#revoked} tokens revoked meanwhile, none accepted; back on Redis after ${most} s at most\n`,
    );
  }
}

/** Revokes tokens at one replica and asks the other, until both are on Redis again after it; no revoked one may pass. */
export async function revokeDuring(
  { world }: Pick<IdentityHandle, 'world'>,
  replicas: readonly RunningIdentity[],
  change: () => Promise<void>,
): Promise<number> {
  const [here, there] = replicas.map(({ url }) => url) as [string, string];
  const old = await tokenOf(here, world.user);
  expect(await statusOf(there, old)).toBe(200);
  expect(await revoke(here, old)).toBe(204);
  const progress = { isOver: false };
  const over = change().finally(() => (progress.isOver = true));
  const revoked = [old];
  while (!progress.isOver) {
    const token = await tokenOf(there, world.user).catch(() => undefined);
    if (token !== undefined && (await revoke(here, token)) === 204) revoked.push(token);
    for (const each of revoked.slice(-3)) expect(await statusOf(there, each)).not.toBe(200);
    // Those who fail over need the processor, too.
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
  return revoked.length;
}
