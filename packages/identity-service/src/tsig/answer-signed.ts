import { readSignedRequest, signTsigAnswer } from '@zonewright/accounts';
import { answer } from '../administration/list.js';
import type { Context } from '../context/context.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { TSIG_ANSWER } from '../schemas/administration-requests.js';
import { requireService } from './require-service.js';

/** POST /v3/internal/tsig/sign */
export async function answerSigned(
  context: Context,
  { body }: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  requireService(caller);
  const given = TSIG_ANSWER.read(body);
  const message = await signTsigAnswer(context, readSignedRequest(given.request), {
    answer: given.answer,
    isLate: given.is_late === true,
  });
  return answer(200, { message: Buffer.from(message).toString('base64') });
}
