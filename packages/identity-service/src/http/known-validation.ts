import type { IncomingHttpHeaders } from 'node:http';
import { mayValidateAnyToken, type ResolvedToken } from '@zonewright/accounts';
import type { Context } from '../context/context.js';
import type { AnswerForm } from '../representation/token-answers.js';
import type { ApiResponse } from './route.js';

type ValidationContext = Pick<Context, 'validator' | 'tokenAnswers'>;

interface Question {
  readonly headers: IncomingHttpHeaders;
  readonly tokenId: string;
  readonly form: AnswerForm;
  /** Whether the caller says that it knows restrictions (validate). */
  readonly understandsRestrictions: boolean;
}

/**
 * The answer to a validation, when all that it stands on is known already and the answer is yes. It
 * follows the rules of `handleTokenRoute` and `validate`; whatever is not a plain yes goes there.
 */
export function findKnownValidation(
  { validator, tokenAnswers }: ValidationContext,
  { headers, tokenId, form, understandsRestrictions }: Question,
): ApiResponse | undefined {
  const callerId = headers['x-auth-token'];
  const caller = typeof callerId === 'string' ? validator.findKnown(callerId) : undefined;
  // One that is restricted may ask about itself alone.
  if (caller === undefined || !isPlain(caller, false)) return undefined;
  const token = tokenId === caller.id ? caller : validator.findKnown(tokenId);
  if (token === undefined || !isPlain(token, understandsRestrictions)) return undefined;
  const isOwn = token.account.id === caller.account.id;
  if (!isOwn && !mayValidateAnyToken(caller.account)) return undefined;
  return tokenAnswers.findKnown(form, token);
}

/** Of a user in good standing, and without restrictions that make a difference. */
function isPlain({ isBlocked, restriction }: ResolvedToken, maybeRestricted: boolean): boolean {
  return !isBlocked && (restriction === undefined || maybeRestricted);
}
