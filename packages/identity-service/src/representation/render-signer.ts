import type { Access } from '@zonewright/accounts';
import { represent } from '@zonewright/http-api';
import { V3_TOKEN } from './render-v3-token.js';

/** By which access key a message is signed, and what a token of it would say; no token where it is of no use. */
export function renderSigner(accessKeyId: string, access: Access | undefined): object {
  return { fault: null, access_key_id: accessKeyId, ...renderHolder(access) };
}

/** What a token of an access key would say; none where the key is wrong, or of no use. */
export function renderHolder(access: Access | undefined): { readonly token: object | null } {
  return access === undefined
    ? { token: null }
    : (JSON.parse(represent(V3_TOKEN, access).toJson()) as { token: object });
}

/** The same for signers of several messages: what a token would say stands once in `tokens`, and each has its place there. */
export class SignerRenderer {
  readonly tokens: (object | null)[] = [];
  readonly #places = new Map<Access, number>();

  render(accessKeyId: string, access: Access | undefined): object {
    return {
      fault: null,
      access_key_id: accessKeyId,
      token: access === undefined ? null : this.#placeOf(access),
    };
  }

  #placeOf(access: Access): number {
    const known = this.#places.get(access);
    if (known !== undefined) return known;
    const place = this.tokens.push(renderHolder(access).token) - 1;
    this.#places.set(access, place);
    return place;
  }
}
