import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from './use-api.js';

const ATTEMPTS = 5;

/** Repeats a request after a 503 with the same Idempotency-Key, as clients do. */
export async function insist(
  api: Pick<Api, 'call'>,
  [method, path, body]: Parameters<Api['call']>,
  onRetry: () => void = () => undefined,
): Promise<{ status: number; body: unknown }> {
  const key = randomUUID();
  for (let attempt = 1; ; attempt += 1) {
    const request = api.call(method, path, body);
    const answer = await (method === 'get' ? request : request.set('Idempotency-Key', key));
    if (answer.status !== 503 || attempt === ATTEMPTS) return answer;
    onRetry();
    await delay(Number(answer.headers['retry-after']) * 1_000);
  }
}
