import { setTimeout as delay } from 'node:timers/promises';

const INTERVAL_MS = 50;

/** Asks `/readyz` at an operations port until the service is ready. @returns false if it is not in time */
export async function awaitReadiness(operations: string, timeoutMs: number): Promise<boolean> {
  const end = Date.now() + timeoutMs;
  while (Date.now() < end) {
    const isReady = await fetch(`${operations}/readyz`).then(
      async (response) => {
        await response.body?.cancel();
        return response.ok;
      },
      () => false,
    );
    if (isReady) return true;
    await delay(INTERVAL_MS);
  }
  return false;
}
