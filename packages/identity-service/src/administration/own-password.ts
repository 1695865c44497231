import { changeOwnPassword, forbidden } from '@zonewright/accounts';
import type { Context } from '../context/context.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { OWN_PASSWORD } from '../schemas/administration-requests.js';
import { hashInTurn } from './change-accounts.js';

/** POST /v3/users/{userId}/password: one's own, for who knows the one before. The tokens got with it end. */
export async function changePassword(
  context: Context,
  request: ApiRequest,
  { account }: Caller,
): Promise<ApiResponse> {
  const { original_password: original, password } = OWN_PASSWORD.read(request.body);
  if (request.params['userId'] !== account.id) throw forbidden();
  request.audit.note({ id: account.id, changed: ['password'] });
  await context.limits.consume('changeAccounts', `user ${account.id}`);
  const { source, turn } = request;
  await changeOwnPassword(context.db, account, {
    change: { original, password },
    work: {
      attempt: (attempt) => turn.aside(() => context.passwordAttempts.make(attempt, source)),
      hash: (text) => hashInTurn(context, request, text),
    },
  });
  context.verifiedCredentials.clear();
  return { status: 204 };
}
