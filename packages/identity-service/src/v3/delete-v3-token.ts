import type { Context } from '../context/context.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { revoke } from '@zonewright/accounts';
import { subjectTokenId } from './get-v3-token.js';

/** DELETE /v3/auth/tokens: revokes the token of X-Subject-Token, 204. */
export async function deleteV3Token(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  request.audit.note(await revoke(context, caller.account, subjectTokenId(request)));
  return { status: 204 };
}
