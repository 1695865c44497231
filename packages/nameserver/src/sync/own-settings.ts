import { SERVICE_SETTINGS, type ServiceSettings } from '@zonewright/database';
import { readSettings } from '@zonewright/service-kit';
import type { NameserverSettings } from '../settings/settings.js';

/** Settings in the environment of this nameserver that the database overrides. */
type GivenSettings = Pick<NameserverSettings, 'soa' | 'nameserverDomainTtlSeconds'>;

/** Completes the settings with the initial values of a database. */
export function completeSettings(given: GivenSettings): ServiceSettings {
  const first = readSettings(SERVICE_SETTINGS, {});
  const { soa, nameserverDomainTtlSeconds: ttl = first.nameserverDomainTtlSeconds } = given;
  return {
    soa: {
      refreshSeconds: soa.refreshSeconds ?? first.soa.refreshSeconds,
      retrySeconds: soa.retrySeconds ?? first.soa.retrySeconds,
      expireSeconds: soa.expireSeconds ?? first.soa.expireSeconds,
      minimumSeconds: soa.minimumSeconds ?? first.soa.minimumSeconds,
    },
    nameserverDomainTtlSeconds: ttl,
  };
}

/** Returns the variables with a value other than that in the database, as `NAME=value`. Undefined if there are none. */
export function describeIgnored(
  given: GivenSettings,
  settings: ServiceSettings | undefined,
): string | undefined {
  if (settings === undefined) return undefined;
  const { soa, nameserverDomainTtlSeconds: ttl } = SERVICE_SETTINGS;
  const ignored = [
    [soa.refreshSeconds, given.soa.refreshSeconds, settings.soa.refreshSeconds] as const,
    [soa.retrySeconds, given.soa.retrySeconds, settings.soa.retrySeconds] as const,
    [soa.expireSeconds, given.soa.expireSeconds, settings.soa.expireSeconds] as const,
    [soa.minimumSeconds, given.soa.minimumSeconds, settings.soa.minimumSeconds] as const,
    [ttl, given.nameserverDomainTtlSeconds, settings.nameserverDomainTtlSeconds] as const,
  ].filter(([, own, valid]) => own !== undefined && own !== valid);
  if (ignored.length === 0) return undefined;
  return ignored.map(([{ variable }, own]) => `${variable}=${own}`).join(', ');
}
