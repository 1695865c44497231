import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Account } from '@zonewright/accounts';
import type { Keyring } from '@zonewright/database';
import type { Clock } from '@zonewright/service-kit';

/** A client that has logged in with a password before, such as a browser with the console. */
export interface ReturningClient {
  readonly id: string;
  readonly accountId: string;
  /** Generation of the credentials. A new password invalidates marks that were issued earlier. */
  readonly credentialGeneration: number;
}

/** Request header with the mark, or with `new` if the client has none. Response header with a new mark. */
const RETURNING_CLIENT_HEADER = 'X-Returning-Client';

/** Identity that is authenticated with the ciphertext, so that no encrypted secret of a row can be used as a mark. */
const IDENTITY = 'identity.returning-client/1';
const MAX_AGE_MS = 180 * 86_400_000;
const MAX_LENGTH = 1024;

/**
 * Marks of clients that have logged in before. Their wrong passwords have a separate limit and slot, so that nobody
 * else can use them up. The mark is encrypted here; no other service and no other header is trusted for it.
 */
export class ReturningClients {
  readonly #keyring: Keyring;
  readonly #clock: Clock;

  constructor(keyring: Keyring, clock: Clock) {
    this.#keyring = keyring;
    this.#clock = clock;
  }

  /** Returns the header with a mark for the next login if the client requested one. */
  headersFor(account: Account, headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
    const { id: accountId, credentialGeneration } = account;
    if (headers[RETURNING_CLIENT_HEADER.toLowerCase()] === undefined) return {};
    const before = this.find(headers);
    const id = before?.accountId === accountId ? before.id : randomBytes(16).toString('base64url');
    const issuedAt = this.#clock.now();
    const mark = JSON.stringify({ id, accountId, credentialGeneration, issuedAt });
    const { keyId, sealed } = this.#keyring.seal(Buffer.from(mark), IDENTITY);
    return { [RETURNING_CLIENT_HEADER]: `${keyId}.${sealed.toString('base64url')}` };
  }

  /** Returns the client of a request. Undefined if the mark is missing, invalid or too old. */
  find(headers: IncomingHttpHeaders): ReturningClient | undefined {
    const mark = headers[RETURNING_CLIENT_HEADER.toLowerCase()];
    if (typeof mark !== 'string' || mark.length > MAX_LENGTH) return undefined;
    const at = mark.lastIndexOf('.');
    try {
      const sealed = Buffer.from(mark.slice(at + 1), 'base64url');
      const text = this.#keyring.open({ keyId: mark.slice(0, at), sealed }, IDENTITY).toString();
      const { issuedAt, ...client } = JSON.parse(text) as ReturningClient & { issuedAt: number };
      return issuedAt + MAX_AGE_MS > this.#clock.now() ? client : undefined;
    } catch {
      // The mark was altered, or its key has been removed.
      return undefined;
    }
  }
}

/**
 * Returns the party whose slot and failures count for a login: the source address, or the account of the returning
 * client. An account has one share, however many marks it collects.
 */
export function partyOf(source: string, client: ReturningClient | undefined): string {
  return client === undefined ? source : `returning:${client.accountId}`;
}

/** Account whose password is verified. The generation is missing if the name is unknown. */
interface Subject {
  readonly subject: string;
  readonly credentialGeneration: number | undefined;
}

/** Returns the owner of the limit of wrong passwords: the client if it has logged in to this account, or the source. */
export function budgetOf(
  source: string,
  client: ReturningClient | undefined,
  { subject, credentialGeneration }: Subject,
): string {
  const isKnown =
    client?.accountId === subject && client.credentialGeneration === credentialGeneration;
  return isKnown ? `returning:${client.id}` : source;
}
