import { TsigAnswerSigner, type TsigFault, withTsigFault } from '@zonewright/dns-records';
import type { AccessKeyWithOwner } from '../access-keys/access-key-store.js';
import { restrictionOf } from '../access-keys/restriction-store.js';
import type { SignedRequest } from '../login/tsig-verifier.js';
import { forbidden } from '../shared/problems.js';
import type { Access } from './access.js';
import { bindScope, describeAdmission } from './admit.js';
import type { TokenServices } from './token-services.js';

/** Signer of a message, with its rights for a tenant. */
type TsigAdmission =
  | {
      readonly fault: TsigFault;
      readonly access?: undefined;
      readonly accessKeyId?: undefined;
      readonly answer?: undefined;
    }
  | {
      readonly fault?: undefined;
      readonly accessKeyId: string;
      /** Undefined if the key is correct but not valid for this tenant or from this address. */
      readonly access: Access | undefined;
      /** Signed answer to the message. */
      readonly answer: Uint8Array | undefined;
    };

/** Tenant of a message, and its source address. */
interface TsigArrival {
  readonly tenantId: string | undefined;
  readonly source: string;
  /** Answer to be signed if the message is correct, as by signTsigAnswer. */
  readonly answer?: Uint8Array | undefined;
}

/**
 * Admits the signers of a batch of messages, as `admit` does for logins, without issuing tokens. Each key is read once
 * for the batch.
 */
export function admitterByTsig(
  services: TokenServices,
): (request: SignedRequest, arrival: TsigArrival) => Promise<TsigAdmission> {
  const find = services.tsigVerifier.lookUp();
  const accesses = new Map<AccessKeyWithOwner, Map<string, Promise<Access | undefined>>>();
  const accessOf = async (found: AccessKeyWithOwner, source: string) => {
    const bySource = accesses.get(found) ?? new Map<string, Promise<Access | undefined>>();
    accesses.set(found, bySource);
    const access = bySource.get(source) ?? findAccess(services, found, source);
    bySource.set(source, access);
    return await access;
  };
  return async (request, { tenantId, source, answer }) => {
    const { tsigVerifier, accessKeyUses, clock } = services;
    const { fault, found, signingKey } = await tsigVerifier.verify(request, tenantId, find);
    if (fault !== undefined || found === undefined) return { fault: fault ?? 'BADKEY' };
    accessKeyUses.note(found.key.id);
    return {
      accessKeyId: found.key.id,
      access: await accessOf(found, source),
      answer:
        answer && signingKey
          ? new TsigAnswerSigner(signingKey, request.tsig.mac).sign(answer, clock.now() / 1_000)
          : undefined,
    };
  };
}

/** Admits the signer of a message, as `admit` does for logins, without issuing a token. */
export async function admitByTsig(
  services: TokenServices,
  request: SignedRequest,
  arrival: TsigArrival,
): Promise<TsigAdmission> {
  return await admitterByTsig(services)(request, arrival);
}

async function findAccess(
  services: TokenServices,
  { key, owner, tenant }: AccessKeyWithOwner,
  source: string,
): Promise<Access | undefined> {
  const { id: accessKeyId, validTo, tokenFamily } = key;
  const accessKey = { id: accessKeyId, validTo, tokenFamily, restriction: restrictionOf(key) };
  const admission =
    tenant &&
    (await bindScope(
      services,
      { account: owner, tenant, accessKey },
      {
        credentials: { method: 'accessKey', accessKeyId, secretKey: '' },
        scope: { id: tenant.id },
        source,
      },
    ));
  return admission && (await describeAdmission(services, admission));
}

/**
 * Signs the messages of a zone transfer in order (RFC 8945 s5.3.1), as signTsigAnswer does. Returns their TSIG records
 * in wire form. All are signed at once: a caller that could choose the MAC before a message could forge a request.
 *
 * @throws ServiceError forbidden for a request with a wrong TSIG
 */
export async function signTsigTransfer(
  { tsigVerifier, clock }: Pick<TokenServices, 'tsigVerifier' | 'clock'>,
  request: SignedRequest,
  messages: readonly Uint8Array[],
): Promise<Uint8Array[]> {
  const { signingKey } = await tsigVerifier.verify(request, undefined);
  if (signingKey === undefined) throw forbidden();
  const signer = new TsigAnswerSigner(signingKey, request.tsig.mac);
  const now = clock.now() / 1_000;
  return messages.map((message) => signer.sign(message, now).subarray(message.length));
}

/**
 * Signs the answer to a message with the access key of that message. The signed data begins with the MAC of the message
 * (RFC 8945 s5.3), so the result cannot be used as a request.
 *
 * @throws ServiceError forbidden for a request with a wrong TSIG
 */
export async function signTsigAnswer(
  { tsigVerifier, clock }: Pick<TokenServices, 'tsigVerifier' | 'clock'>,
  request: SignedRequest,
  { answer, isLate }: { readonly answer: Uint8Array; readonly isLate: boolean },
): Promise<Uint8Array> {
  // The time of the message may have expired since it was checked.
  const { signingKey: key } = await tsigVerifier.verify(request, undefined);
  if (key === undefined) throw forbidden();
  const { tsig } = request;
  const now = clock.now() / 1_000;
  return isLate
    ? withTsigFault(answer, { tsig, fault: 'BADTIME', key }, now)
    : new TsigAnswerSigner(key, tsig.mac).sign(answer, now);
}
