import { invalidRequest } from '@zonewright/service-kit';
import { createHash } from 'node:crypto';
import type { Context } from '../context/context.js';
import type { Operation, TenantRequest } from '../http/operation.js';
import { emptyReply } from '../http/reply.js';
import { readWholeName } from './change-name.js';
import {
  type Challenge,
  isChallengeValue,
  presentChallenge,
  readBasicKey,
  removeChallenge,
} from './challenges.js';

type Act = (context: Context, request: TenantRequest, challenge: Challenge) => Promise<void>;

/** The protocol of lego's provider `httpreq`. Errors have the format of the API, because lego prints them. */
export const HTTPREQ_OPERATIONS: readonly Operation[] = [
  httpreq('present', 'Present Challenge (httpreq)', presentChallenge),
  httpreq('cleanup', 'Clean up Challenge (httpreq)', removeChallenge),
];

function httpreq(path: string, name: string, act: Act): Operation {
  return {
    id: `httpreq${path === 'present' ? 'Present' : 'Cleanup'}`,
    name,
    method: 'POST',
    path: `/httpreq/${path}`,
    access: 'key',
    restricted: 'by-rules',
    readKey: readBasicKey,
    body: 'json',
    source: 'acme',
    handle: async (context, request) => {
      await act(context, request, readChallenge(request.body));
      return emptyReply();
    },
  };
}

/** Reads the name and the text or, in RAW mode, the domain and the key authorization. @throws ServiceError `invalid` */
function readChallenge(body: unknown): Challenge {
  const members = (body ?? {}) as Readonly<Record<string, unknown>>;
  const { domain, keyAuth } = members;
  const {
    fqdn = typeof domain === 'string' ? `_acme-challenge.${domain}` : undefined,
    value = typeof keyAuth === 'string' ? digestOf(keyAuth) : undefined,
  } = members;
  const name = typeof fqdn === 'string' ? readWholeName(fqdn) : undefined;
  if (name !== undefined && isChallengeValue(value)) return { name, value };
  const message =
    'The body must have fqdn and value (43 characters of base64url), or domain and keyAuth.';
  throw invalidRequest([{ path: '', validator: 'required', message }]);
}

/** Returns the digest for a challenge (RFC 8555, section 8.4). */
function digestOf(keyAuthorization: string): string {
  return createHash('sha256').update(keyAuthorization).digest('base64url');
}
