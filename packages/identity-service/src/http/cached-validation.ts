import type { IncomingHttpHeaders } from 'node:http';
import { mayValidate } from '@zonewright/accounts';
import type { Context } from '../context/context.js';
import type { AnswerForm } from '../representation/token-answers.js';
import type { ApiResponse } from './route.js';

type ValidationContext = Pick<Context, 'validator' | 'tokenAnswers'>;

interface Question {
  readonly headers: IncomingHttpHeaders;
  readonly tokenId: string;
  readonly form: AnswerForm;
  /** Whether the caller supports restrictions (validate). */
  readonly understandsRestrictions: boolean;
}

/**
 * Returns the response to a validation if the token is valid and everything that it depends on is cached. `validate`
 * handles all other cases.
 */
export function findCachedValidation(
  { validator, tokenAnswers }: ValidationContext,
  { headers, tokenId, form, understandsRestrictions }: Question,
): ApiResponse | undefined {
  const callerId = headers['x-auth-token'];
  const caller = typeof callerId === 'string' ? validator.findKnown(callerId) : undefined;
  // A restricted caller also needs a check of its network.
  if (caller === undefined || caller.restriction !== undefined) return undefined;
  const token = tokenId === caller.id ? caller : validator.findKnown(tokenId);
  if (token === undefined || mayValidate(caller, token, understandsRestrictions) !== 'allowed') {
    return undefined;
  }
  return tokenAnswers.findKnown(form, token);
}
