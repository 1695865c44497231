import {
  AuthorizedClient,
  HttpJsonClient,
  type Logger,
  ServiceToken,
} from '@zonewright/service-kit';
import type { ImageWriter } from './image/image-writer.js';
import type { RelayCounters } from './stats/relay-counters.js';
import type { NameserverSettings } from './settings/settings.js';
import { MessageRelay } from './relay/message-relay.js';

interface RelayParts {
  readonly image: ImageWriter;
  readonly isLoaded: () => boolean;
  readonly counters: RelayCounters;
  readonly log: Logger;
}

/**
 * Creates the relay to the DNS API, which performs updates and checks access keys. Undefined if it is not configured.
 */
export function createRelay(
  { updates }: NameserverSettings,
  { image, isLoaded, counters, log }: RelayParts,
): MessageRelay | undefined {
  const { dnsApiUrl, identityUrl, accessKey, secretKey } = updates;
  if (dnsApiUrl === undefined) return undefined;
  if (accessKey === undefined || secretKey === undefined) {
    log.warn('NAMESERVER_UPDATE_URL has no effect without NAMESERVER_SERVICE_ACCESS_KEY');
    return undefined;
  }
  const identity = new HttpJsonClient({ baseUrl: identityUrl, serverName: 'identity service' });
  const token = new ServiceToken(
    identity,
    { accessKey, secretKey },
    'NAMESERVER_SERVICE_ACCESS_KEY',
  );
  const dnsApi = new HttpJsonClient({ baseUrl: dnsApiUrl, serverName: 'DNS API' });
  return new MessageRelay({
    client: new AuthorizedClient(dnsApi, token),
    zoneSerial: (apex) => image.zoneSerial(apex),
    isLoaded,
    counters,
    log,
  });
}
