import { Client, type Session as ApiSession } from '@zonewright/client';
import { watchOutcome } from './unknown-outcome.js';
import { fetchSession, waitForLogIn } from './session.js';

/** Long enough for a restart of a service; then the screen says what is the matter, and goes on asking. */
const DEADLINE_MS = 12_000;

const clients = new Map<string, Client>();

/** The APIs as the user in one project, by the way through console-service. */
export function clientOf(projectId: string): Client {
  let client = clients.get(projectId);
  if (client === undefined) {
    const base = `${location.origin}/api/${encodeURIComponent(projectId)}`;
    client = new Client({
      identityUrl: `${base}/identity`,
      dnsUrl: `${base}/dns`,
      auth: sessionOpener(),
      deadlineMs: DEADLINE_MS,
      onDoubt: watchOutcome,
    });
    clients.set(projectId, client);
  }
  return client;
}

/** The cookie says who asks. Once that is refused, the client sends the same again after the next log-in. */
function sessionOpener(): () => Promise<ApiSession> {
  let isFirst = true;
  return async () => {
    if (!isFirst && (await fetchSession()) === null) await waitForLogIn();
    isFirst = false;
    return {
      token: '',
      expiresAt: Number.POSITIVE_INFINITY,
      user: { id: '', name: '' },
      tenant: undefined,
      roles: [],
      dnsUrl: undefined,
    };
  };
}
