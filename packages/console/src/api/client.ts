import { type Session as ApiSession, Client, type UnknownOutcome } from '@zonewright/client';
import { defineMessages, languageStore } from '../state/language.js';
import { dismissToast, showToast } from '../ui/toasts.js';
import { fetchSession, waitForLogIn } from './session.js';

/**
 * Time limit of a call, long enough for a restart of a service. After that, the screen shows the problem and continues
 * to retry.
 */
const DEADLINE_MS = 12_000;

const clients = new Map<string, Client>();

/** Returns the client for the user in one project. Its requests go through console-service. */
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

/**
 * Returns a function that opens a session. The cookie authenticates the user. If it is rejected, the client sends the
 * request again after the next login.
 */
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

const MESSAGES = defineMessages({
  en: {
    asking:
      'There was no response, so the outcome is unknown. The console repeats the request until it is known; the change is made only once.',
    stop: 'Stop retrying',
    done: 'The change was made.',
    notDone: 'The change was not made.',
  },
  de: {
    asking:
      'Es kam keine Antwort; das Ergebnis ist unbekannt. Die Konsole wiederholt die Anfrage, bis es bekannt ist; die Änderung wird nur einmal ausgeführt.',
    stop: 'Nicht mehr wiederholen',
    done: 'Die Änderung wurde ausgeführt.',
    notDone: 'Die Änderung wurde nicht ausgeführt.',
  },
});

const PAUSE_MS = 3_000;
/**
 * Time limit of retries. The service stores responses for at least an hour; after that, a repeated request would take
 * effect twice.
 */
const LONGEST_MS = 1_800_000;

/** Shows the user that the outcome is unknown, lets the user stop the retries, and reports the outcome. */
function watchOutcome(): UnknownOutcome {
  const t = MESSAGES[languageStore.get()];
  const endsAt = Date.now() + LONGEST_MS;
  let isWanted = true;
  let wake: (() => void) | undefined;
  const stop = () => {
    isWanted = false;
    wake?.();
  };
  const id = showToast({
    text: t.asking,
    tone: 'bad',
    isLasting: true,
    action: { label: t.stop, icon: 'close', run: stop },
  });
  return {
    askAgain: async () => {
      if (isWanted) await new Promise<void>((resolve) => setTimeout((wake = resolve), PAUSE_MS));
      if (isWanted && Date.now() < endsAt) return true;
      dismissToast(id);
      return false;
    },
    end: (isDone) => {
      dismissToast(id);
      if (isDone === undefined) return;
      showToast(isDone ? { text: t.done } : { text: t.notDone, tone: 'bad' });
    },
  };
}
