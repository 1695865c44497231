import {
  admitByTsig,
  admitterByTsig,
  readSignedRequest,
  signTsigAnswer,
  signTsigTransfer,
} from '@zonewright/accounts';
import { ServiceError } from '@zonewright/service-kit';
import type { Context } from '../context/context.js';
import { answer } from '../http/lists.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { renderSigner, SignerRenderer } from '../representation/v3-token.js';
import {
  TSIG_ANSWER,
  TSIG_CHECK,
  TSIG_EXCHANGE,
  TSIG_TRANSFER,
} from '../schemas/administration-requests.js';
import { requireService } from './presented-key.js';

/**
 * POST /v3/internal/tsig/verify: the signer of a message, for a tenant. Wrong keys and MACs count against their
 * network, as wrong secret keys do.
 *
 * @throws ServiceError (rate-limited) for a network with too many of them
 */
export async function checkTsig(
  context: Context,
  { body, audit }: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  requireService(caller);
  const { message, source, tenant_id: tenantId } = TSIG_CHECK.read(body);
  context.limits.checkSource('tsig', source);
  const request = readSignedRequest(message);
  const { fault, accessKeyId, access } = await admitByTsig(context, request, { tenantId, source });
  if (fault !== undefined) {
    if (fault !== 'BADTIME') await context.limits.consumeForSource('tsig', source);
    return answer(200, { fault });
  }
  audit.note({ accessKeyId, tenantId });
  return answer(200, renderSigner(accessKeyId, access));
}

type Exchange = ReturnType<typeof TSIG_EXCHANGE.read>['requests'][number];

/**
 * POST /v3/internal/tsig/exchange: the signers of a batch of messages, and their signed answers if they are correct
 * (RFC 8945). Each message counts as in checkTsig. A rejected one does not affect the others.
 */
export async function exchangeTsig(
  context: Context,
  { body }: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  requireService(caller);
  const { requests } = TSIG_EXCHANGE.read(body);
  const admit = admitterByTsig(context);
  const renderer = new SignerRenderer();
  const results = await Promise.all(
    requests.map((each) => exchange(context, each, { admit, renderer }).catch(toRefusal)),
  );
  return answer(200, { results, tokens: renderer.tokens });
}

async function exchange(
  { limits }: Context,
  { message, source, tenant_id: tenantId, answer: unsigned }: Exchange,
  {
    admit,
    renderer,
  }: { readonly admit: ReturnType<typeof admitterByTsig>; readonly renderer: SignerRenderer },
): Promise<object> {
  limits.checkSource('tsig', source);
  const admission = await admit(readSignedRequest(message), { tenantId, source, answer: unsigned });
  const { fault, accessKeyId, access, answer: signed } = admission;
  if (fault !== undefined) {
    if (fault !== 'BADTIME') await limits.consumeForSource('tsig', source);
    return { fault };
  }
  return {
    ...renderer.render(accessKeyId, access),
    ...(signed === undefined ? {} : { answer: Buffer.from(signed).toString('base64') }),
  };
}

/** Returns the result for one message. Errors that concern all messages fail the request. */
function toRefusal(error: unknown): object {
  if (error instanceof ServiceError && error.kind === 'rate-limited') return { too_many: true };
  if (error instanceof ServiceError && error.kind === 'invalid') return { fault: 'FORMERR' };
  throw error;
}

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

/** POST /v3/internal/tsig/sign-transfer: the TSIG records of the messages of a zone transfer. */
export async function signTransfer(
  context: Context,
  { body }: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  requireService(caller);
  const { request, answers } = TSIG_TRANSFER.read(body);
  const messages = answers.map(({ message }) => message);
  const records = await signTsigTransfer(context, readSignedRequest(request), messages);
  return answer(200, {
    records: records.map((record) => ({ tsig: Buffer.from(record).toString('base64') })),
  });
}
