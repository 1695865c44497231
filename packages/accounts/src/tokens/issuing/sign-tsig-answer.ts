import { TsigAnswerSigner, withTsigFault } from '@zonewright/dns-records';
import { forbidden } from '../../problems/problems.js';
import type { TokenServices } from '../services/token-services.js';
import type { SignedRequest } from '../credentials/signed-request.js';

/**
 * The answer to a message that was signed with an access key, signed with the same. What is signed begins with the MAC of that
 * message (RFC 8945 s5.3), so nothing that this gives can be taken for a request.
 *
 * @throws ServiceError forbidden for a request whose own TSIG is wrong
 */
export async function signTsigAnswer(
  { tsigVerifier, clock }: Pick<TokenServices, 'tsigVerifier' | 'clock'>,
  request: SignedRequest,
  { answer, isLate }: { readonly answer: Uint8Array; readonly isLate: boolean },
): Promise<Uint8Array> {
  // Since it was checked its time may have run out.
  const { signingKey: key } = await tsigVerifier.verify(request, undefined);
  if (key === undefined) throw forbidden();
  const { tsig } = request;
  const now = clock.now() / 1_000;
  return isLate
    ? withTsigFault(answer, { tsig, fault: 'BADTIME', key }, now)
    : new TsigAnswerSigner(key, tsig.mac).sign(answer, now);
}
