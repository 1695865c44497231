import { describe, expect, it } from '@jest/globals';
import { CONSOLE_SETTINGS } from '@zonewright/console-service/settings';
import { DNS_API_SETTINGS } from '@zonewright/dns-api/settings';
import { IDENTITY_SERVICE_SETTINGS } from '@zonewright/identity-service/settings';
import { NAMESERVER_SETTINGS } from '@zonewright/nameserver/settings';
import { readSettings } from '@zonewright/service-kit';
import { SIGNER_SETTINGS } from '@zonewright/signer/settings';

const ports = [
  ['CONSOLE', CONSOLE_SETTINGS.http.port, CONSOLE_SETTINGS.http.operationsPort],
  ['DNS_API', DNS_API_SETTINGS.http.port, DNS_API_SETTINGS.http.operationsPort],
  ['IDENTITY', IDENTITY_SERVICE_SETTINGS.http.port, IDENTITY_SERVICE_SETTINGS.http.operationsPort],
  ['NAMESERVER', NAMESERVER_SETTINGS.listen.port, NAMESERVER_SETTINGS.listen.operationsPort],
  ['SIGNER', SIGNER_SETTINGS.http.port, SIGNER_SETTINGS.http.operationsPort],
] as const;

describe('default ports', () => {
  it('all services run on one host with their defaults', () => {
    const used = ports.flatMap(([service, port, operationsPort]) =>
      Object.entries(readSettings({ port, operationsPort }, {})).map(
        ([name, value]) => [String(value), `${service} ${name}`] as const,
      ),
    );
    expect(new Map(used).size).toBe(10);
  });
});
