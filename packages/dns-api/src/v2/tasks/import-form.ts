import type { ImportRequest } from '@zonewright/zones';
import { invalidRequest } from '@zonewright/service-kit';

/** Reads an import: the zone file as the body, whole or not at all; name and email are those of its SOA record. */
export function readImportedFile(body: unknown): ImportRequest {
  if (typeof body === 'string') {
    return {
      text: body,
      mode: 'merge',
      onError: 'refuse',
      confirm: false,
      name: undefined,
      email: undefined,
    };
  }
  const message = 'The body must be a zone file, with the Content-Type text/dns.';
  throw invalidRequest([{ path: '', validator: 'type', message }]);
}
