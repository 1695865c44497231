import { TsigAnswerSigner, type TsigFault, withTsigFault } from '@zonewright/dns-records';
import type { AccessKeyWithOwner } from '../access-keys/access-key-store.js';
import { restrictionOf } from '../access-keys/restriction-store.js';
import type { SignedRequest } from '../login/tsig-verifier.js';
import { forbidden } from '../shared/problems.js';
import type { Access } from './access.js';
import { bindScope, describeAdmission } from './admit.js';
import type { TokenServices } from './token-services.js';

/** Who signed a message, and may do what for which tenant. */
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
      /** Undefined: the key is right, but of no use for this tenant, or from there. */
      readonly access: Access | undefined;
      /** What was to be signed, signed. */
      readonly answer: Uint8Array | undefined;
    };

/** What a message is about, and where it came from. */
interface TsigArrival {
  readonly tenantId: string | undefined;
  readonly source: string;
  /** To be signed if the message is right, as signTsigAnswer does it. */
  readonly answer?: Uint8Array | undefined;
}

/**
 * As `admit` does for whoever logs in, by messages that are signed with access keys and came together; there is no token. What is
 * known of a key is read once for all of them.
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

/** As `admit` does for whoever logs in, by a message that is signed with an access key; there is no token. */
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
