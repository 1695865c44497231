import { systemClock } from '@zonewright/service-kit';
import type { ChangeOfMany } from '@zonewright/zones';
import { type Api, testSettings } from '../support/use-api.js';

/** Returns the unit of work for a change without HTTP. */
export function workOf({ databaseUrl }: Api, tenantId = 'tenant-a'): ChangeOfMany['work'] {
  return {
    caller: { userId: 'user-a', tenantId, roles: [] },
    ...{ requestId: 'req-1', source: 'dynamic-update', note: undefined, clock: systemClock },
    rules: testSettings(databaseUrl).rules,
    signer: { sign: () => Promise.reject(new Error('Nothing is signed.')) },
    ...{ hints: { mixedTtl: false }, written: { octets: 0 }, zonesToKeep: new Set<string>() },
    isDryRun: false,
  };
}
