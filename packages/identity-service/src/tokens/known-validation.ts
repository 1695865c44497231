import type { IncomingHttpHeaders } from 'node:http';
import { mayValidateAnyToken, type ResolvedToken } from '@zonewright/accounts';
import type { Context } from '../context/context.js';
import type { ApiResponse } from '../http/route.js';
import type { AnswerForm } from '../representation/token-answers.js';

type ValidationContext = Pick<Context, 'validator' | 'tokenAnswers'>;

interface Question {
  readonly headers: IncomingHttpHeaders;
  readonly tokenId: string;
  readonly form: AnswerForm;
}

/**
 * The answer to a validation, when all that it stands on is known already and the answer is yes. It
 * follows the rules of `handleTokenRoute` and `validate`; whatever is not a plain yes goes there.
 */
export function findKnownValidation(
  { validator, tokenAnswers }: ValidationContext,
  { headers, tokenId, form }: Question,
): ApiResponse | undefined {
  const callerId = headers['x-auth-token'];
  const caller = typeof callerId === 'string' ? validator.findKnown(callerId) : undefined;
  if (caller === undefined || !isPlain(caller)) return undefined;
  const token = tokenId === caller.id ? caller : validator.findKnown(tokenId);
  if (token === undefined || !isPlain(token)) return undefined;
  const isOwn = token.account.id === caller.account.id;
  if (!isOwn && !mayValidateAnyToken(caller.account)) return undefined;
  return tokenAnswers.findKnown(form, token);
}

/** Of a user in good standing, and without restrictions. */
function isPlain({ isBlocked, restriction }: ResolvedToken): boolean {
  return !isBlocked && restriction === undefined;
}
