import {
  dnskeyToWire,
  isSigningAlgorithm,
  type SigningAlgorithm,
} from '@zonewright/dns-records/dnssec';
import { invalidRequest, type Problem, ServiceError } from '@zonewright/service-kit';
import {
  disableDnssec,
  enableDnssec,
  type ExternalKey,
  getZoneDnssec,
  readExternalKeys,
  rollOver,
  type UnitOfWork,
  type Zone,
  type ZoneDnssec,
} from '@zonewright/zones';
import type { Context } from '../context/context.js';
import { checkMembers, readFlag } from '../http/members.js';
import type { Operation, TenantRequest } from '../http/operation.js';
import { FLAG } from '../http/parameters.js';
import { jsonReply } from '../http/reply.js';
import { write, type Written } from '../http/write.js';

const PATH = '/v1/domains/{domainId}/dnssec';
const FORCE = 'force';

/** Returns the new DNSSEC state. The signer continues from it. */
async function showAccepted({ trx }: UnitOfWork, zone: Zone): Promise<Written> {
  const shown = renderDnssec(await getZoneDnssec(trx, zone));
  return { reply: jsonReply(shown) };
}

function targetOf({ params, headers }: TenantRequest) {
  return { id: params['domainId'] ?? '', ifMatch: headers.ifMatch };
}

/** Checks the owner first, so that other callers learn only that the domain is not theirs. */
async function requireSignerOf(context: Context, { caller, params }: TenantRequest): Promise<void> {
  if (context.signer === undefined) await context.zones.get(caller, params['domainId'] ?? '');
  requireSigner(context);
}

export const DNSSEC_OPERATIONS: readonly Operation[] = [
  {
    id: 'getDnssec',
    name: 'Get DNSSEC of a Domain',
    method: 'GET',
    path: PATH,
    access: 'tenant',
    body: 'none',
    answers: 'Dnssec',
    handle: async ({ zones, db }, { caller, params }) => {
      const zone = await zones.get(caller, params['domainId'] ?? '');
      return jsonReply(renderDnssec(await getZoneDnssec(db, zone)));
    },
  },
  {
    id: 'enableDnssec',
    name: 'Enable DNSSEC for a Domain',
    method: 'PUT',
    path: PATH,
    hasTag: true,
    access: 'tenant',
    body: 'json',
    reads: 'DnssecForm',
    query: { [FORCE]: FLAG },
    answers: 'Dnssec',
    faults: [409],
    handle: async (context, request) => {
      await requireSignerOf(context, request);
      const { algorithm, foreignKeys: keys } = readDnssecForm(request.body);
      const foreign = keys && { keys, atOnce: readFlag(request.query, FORCE) };
      return await write(context, request, async (work) =>
        showAccepted(work, await enableDnssec(work, targetOf(request), { algorithm, foreign })),
      );
    },
  },
  {
    id: 'disableDnssec',
    name: 'Disable DNSSEC for a Domain',
    method: 'DELETE',
    path: PATH,
    hasTag: true,
    access: 'tenant',
    body: 'none',
    query: { [FORCE]: FLAG },
    answers: 'Dnssec',
    handle: async (context, request) => {
      const force = readFlag(request.query, FORCE);
      return await write(context, request, async (work) =>
        showAccepted(work, await disableDnssec(work, targetOf(request), { force })),
      );
    },
  },
  {
    id: 'rollDnssecKey',
    name: 'Replace the Key of a Domain',
    method: 'POST',
    path: `${PATH}/rollover`,
    hasTag: true,
    access: 'tenant',
    body: 'none',
    answers: 'Dnssec',
    faults: [409],
    handle: async (context, request) => {
      await requireSignerOf(context, request);
      return await write(context, request, async (work) =>
        showAccepted(work, await rollOver(work, targetOf(request))),
      );
    },
  },
];

/** @throws ServiceError `unavailable` if no signer is configured */
export function requireSigner({ signer }: Context): void {
  if (signer !== undefined) return;
  throw new ServiceError(
    'unavailable',
    'This service cannot sign domains; the operator must set SIGNER_URL.',
  );
}

const FOREIGN_KEYS = 'foreign_keys';

interface DnssecForm {
  readonly algorithm: SigningAlgorithm | undefined;
  readonly foreignKeys: readonly ExternalKey[] | undefined;
}

/**
 * Reads a body such as `{"enabled": true, "algorithm": 13, "foreign_keys": ["257 3 13 ..."]}`. @throws ServiceError
 * `invalid` with all problems
 */
function readDnssecForm(body: unknown): DnssecForm {
  const { values, problems } = checkMembers(body, ['enabled', 'algorithm', FOREIGN_KEYS]);
  const { enabled, algorithm } = values;
  const found: Problem[] = [...problems];
  const foreignKeys = readKeys(values[FOREIGN_KEYS], found);
  if (enabled !== true) {
    const message = 'enabled must be true; to stop signing, use DELETE.';
    found.push({ path: 'enabled', validator: 'enum', message });
  }
  if (algorithm !== undefined && !isSigningAlgorithm(algorithm)) {
    const message = 'algorithm must be 13 (ECDSA P-256 with SHA-256) or 15 (Ed25519).';
    found.push({ path: 'algorithm', validator: 'enum', message });
  }
  if (found.length > 0) throw invalidRequest(found);
  return { algorithm: isSigningAlgorithm(algorithm) ? algorithm : undefined, foreignKeys };
}

function readKeys(given: unknown, problems: Problem[]): readonly ExternalKey[] | undefined {
  if (given === undefined) return undefined;
  const read = readExternalKeys(given);
  for (const { at, message } of read.problems) {
    const path = at === undefined ? FOREIGN_KEYS : `${FOREIGN_KEYS}[${at}]`;
    problems.push({ path, validator: 'format', message: `${path} ${message}` });
  }
  return read.keys;
}

const HEAD_OCTETS = 4;
/** CDS and CDNSKEY request to the parent, by signing state. */
const CDS = {
  ...{ unsigned: null, signing: null, signed: 'publish' },
  ...{ leaving: 'delete', unsigning: 'delete' },
} as const;

/** Renders the signing state of a domain, with DS and DNSKEY in zone file format. */
function renderDnssec({
  state,
  algorithm,
  keys,
  foreignKeys,
  ds,
  dnskeys,
  isCatchingUp,
  parent,
  dsFrom,
  missing,
}: ZoneDnssec): Record<string, unknown> {
  return {
    enabled: state !== undefined,
    state: state ?? 'unsigned',
    algorithm: algorithm ?? null,
    catching_up: isCatchingUp,
    ds: ds.map(renderDs),
    dnskey: dnskeys.map(renderDnskey),
    cds: state === 'signed' && dsFrom !== undefined ? 'wait' : CDS[state ?? 'unsigned'],
    ds_from: dsFrom === undefined ? null : renderTime(dsFrom),
    keys: keys.map((key) => ({
      key_tag: key.keyTag,
      algorithm: key.algorithm,
      state: key.state,
      published_at: renderTime(key.publishedAt),
    })),
    foreign_keys: foreignKeys.map((key) => ({
      dnskey: renderDnskey(dnskeyToWire(key)),
      key_tag: key.keyTag,
      state: key.state,
    })),
    parent: parent
      ? {
          checked_at: renderTime(parent.checkedAt),
          agreed: parent.agreed,
          ds: parent.ds.map(renderDs),
        }
      : null,
    missing: missing ?? null,
  };
}

function renderDs({ keyTag, algorithm, digestType, digest }: ZoneDnssec['ds'][number]): string {
  return `${keyTag} ${algorithm} ${digestType} ${digest.toUpperCase()}`;
}

function renderDnskey(rdata: Uint8Array): string {
  const octets = Buffer.from(rdata);
  const [protocol = 0, algorithm = 0] = octets.subarray(2);
  return `${octets.readUInt16BE(0)} ${protocol} ${algorithm} ${octets.toString('base64', HEAD_OCTETS)}`;
}

function renderTime(time: Date): string {
  return time.toISOString().replace(/Z$/, '000');
}
