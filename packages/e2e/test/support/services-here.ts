import { DNS_API_SETTINGS, DnsApiService } from '@zonewright/dns-api';
import { IDENTITY_SERVICE_SETTINGS, IdentityService } from '@zonewright/identity-service';
import { NAMESERVER_SETTINGS, NameserverService } from '@zonewright/nameserver';
import { readSettings, type RunnableService } from '@zonewright/service-kit';
import type { Installation } from './installation.js';

export interface Addresses {
  readonly identity: string;
  readonly dns: string;
  /** Address as `host:port`. */
  readonly nameserver: string;
}

/** The three services in this process, for tests that are not about processes and start them often. */
export class ServicesHere {
  readonly #running: RunnableService[] = [];

  async start(installation: Installation): Promise<Addresses> {
    const quiet = { LOG_LEVEL: 'error' };
    const identity = await this.#run(
      IdentityService.create(
        readSettings(IDENTITY_SERVICE_SETTINGS, {
          ...installation.identityEnvironment(),
          ...quiet,
        }),
      ),
    );
    const dnsApi = await this.#run(
      DnsApiService.create(
        readSettings(DNS_API_SETTINGS, {
          ...installation.dnsApiEnvironment(),
          ...quiet,
          IDENTITY_URL: identity['http'],
        }),
      ),
    );
    const nameserver = await this.#run(
      NameserverService.create(
        readSettings(NAMESERVER_SETTINGS, {
          ...installation.nameserverEnvironment('ns1-1'),
          ...quiet,
          // Threads need compiled sources.
          NAMESERVER_UDP_TRANSPORT: 'dgram',
        }),
      ),
    );
    return {
      identity: identity['http'] ?? '',
      dns: dnsApi['http'] ?? '',
      nameserver: nameserver['dns'] ?? '',
    };
  }

  async stop(): Promise<void> {
    await Promise.all(this.#running.splice(0).map((service) => service.stop()));
  }

  async #run(service: RunnableService): Promise<Readonly<Record<string, string | undefined>>> {
    this.#running.push(service);
    return await service.start();
  }
}
