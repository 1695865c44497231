import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { HttpJsonClient, uuidOfDigest } from '@zonewright/service-kit';
import type { DnsApiSettings } from '../settings/settings.js';

/** A process of the installation other than the nameservers, which report their status themselves. */
export interface Process {
  readonly id: string;
  readonly name: 'dns-api' | 'identity-service' | 'signer';
  readonly host: string;
  /** Rejects if the process does not respond. */
  readonly check: () => Promise<unknown>;
}

/**
 * Lists the processes that this one knows: itself and those that it calls. The console is not among them, since
 * nothing here calls it.
 *
 * @param checkIdentity undefined in tests without an identity service
 */
export function listProcesses(
  { identity, signer }: DnsApiSettings,
  checkIdentity: (() => Promise<void>) | undefined,
): readonly Process[] {
  const processes = [processOf('dns-api', hostname(), () => Promise.resolve())];
  if (checkIdentity !== undefined) {
    processes.push(processOf('identity-service', new URL(identity.url).host, checkIdentity));
  }
  if (signer.url !== undefined) {
    const client = new HttpJsonClient({ baseUrl: signer.url, serverName: 'signer' });
    // Any response shows that the signer works, because it has no operation for this purpose.
    const check = () => client.call({ method: 'GET', path: '', headers: {} });
    processes.push(processOf('signer', new URL(signer.url).host, check));
  }
  return processes;
}

/** Returns a process with an id that stays the same after a restart. */
function processOf(name: Process['name'], host: string, check: Process['check']): Process {
  const id = uuidOfDigest(createHash('sha256').update(`${name} ${host}`).digest());
  return { id, name, host, check };
}
