import type { Context } from '../context/context.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { revoke } from '@zonewright/accounts';

/** DELETE /v2.0/EXT-IDM/v1.0/tokens/{tokenId}: Revoke Token (Identity s4), 200 without a body. */
export async function deleteToken(
  context: Context,
  { params, audit }: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  audit.note(await revoke(context, caller.account, params['tokenId'] ?? ''));
  return { status: 200 };
}

/** DELETE /v2.0/tokens/{tokenId}: the old core path, 204 (decisions 2, Validate). */
export async function deleteTokenOnCorePath(
  context: Context,
  { params, audit }: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  audit.note(await revoke(context, caller.account, params['tokenId'] ?? ''));
  return { status: 204 };
}
