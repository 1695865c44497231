import type { Access } from '@zonewright/accounts';
import { represent } from '@zonewright/http-api';
import { V3_TOKEN } from './render-v3-token.js';

/** By which access key a message is signed, and what a token of it would say; no token where it is of no use. */
export function renderSigner(accessKeyId: string, access: Access | undefined): object {
  const shown: { token: object | null } =
    access === undefined
      ? { token: null }
      : (JSON.parse(represent(V3_TOKEN, access).toJson()) as { token: object });
  return { fault: null, access_key_id: accessKeyId, token: shown.token };
}
