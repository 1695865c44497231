import type { Client } from '@zonewright/client';
import type { Session } from '../session/session.js';

/** Longest wait of one request. After it, nameservers that have started meanwhile are included. */
const ROUND_SECONDS = 2;
const PAUSE_MS = 200;
export const WAIT_SECONDS = 15;

export type Publication = Awaited<ReturnType<Client['domains']['publication']>>;

/** Until all nameservers that run have it, and those too that have just been started: or the time is over. */
export async function awaitPublication(
  { client, reading }: Session,
  { id, serial }: { readonly id: string; readonly serial: number },
  wait: number,
): Promise<Publication> {
  const until = Date.now() + wait * 1000;
  for (;;) {
    const left = Math.ceil((until - Date.now()) / 1000);
    const round = { ...reading, wait: Math.max(1, Math.min(left, ROUND_SECONDS)) };
    const publication = await client.domains.publication(id, serial, left > 0 ? round : reading);
    if (publication.state === 'published' || Date.now() >= until) return publication;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    reading.signal.throwIfAborted();
  }
}
