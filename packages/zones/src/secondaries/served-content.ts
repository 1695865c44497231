import { type Database, queryRow, queryRows } from '@zonewright/database';
import {
  MAX_NSEC3_ITERATIONS,
  NSEC3_SHA1,
  type Nsec3Parameters,
  nsec3ParametersFromWire,
} from '@zonewright/dns-records/dnssec';
import { listUnableNameservers } from '../signing/dnssec-store.js';
import { TransferFault } from './transfer-fault.js';

/**
 * Rejects a zone that nameservers would answer differently than its primary does. `names`: names that have changed;
 * undefined means any.
 *
 * @throws TransferFault
 */
export async function requireServed(
  trx: Database,
  zone: { readonly id: string; readonly name: string },
  names: readonly string[] | undefined,
): Promise<void> {
  const parameters = await listParameters(trx, zone);
  const fault = parameters.length === 0 ? undefined : nsec3Fault(parameters);
  if (fault !== undefined) throw fault;
  if (parameters.length > 0) await requireCapability(trx, 'nsec3', 'it is signed with NSEC3');
  if (await hasDname(trx, zone.id, names))
    await requireCapability(trx, 'dname', 'it has a DNAME record');
}

/** Requires support by all nameservers, since an earlier version would give other answers. */
async function requireCapability(
  trx: Database,
  capability: 'nsec3' | 'dname',
  what: string,
): Promise<void> {
  const unable = await listUnableNameservers(trx, capability);
  if (unable.length === 0) return;
  throw new TransferFault(
    'old-nameservers',
    `${what}, which these older nameservers do not support: ${unable.join(', ')}`,
  );
}

async function hasDname(
  trx: Database,
  zoneId: string,
  names: readonly string[] | undefined,
): Promise<boolean> {
  const row = await queryRow(
    trx,
    `select r.id from dns.records as r
      where r.domain_id = ? and r.type = 'DNAME' ${names === undefined ? '' : 'and r.name = any(?::text[])'} limit 1`,
    names === undefined ? [zoneId] : [zoneId, [...names]],
  );
  return row !== undefined;
}

/** Returns undefined if the nameservers support one of the chains in NSEC3PARAM (RFC 5155 s7.3, RFC 9276 s3.2). */
export function nsec3Fault(parameters: readonly Nsec3Parameters[]): TransferFault | undefined {
  const known = parameters.filter(({ algorithm }) => algorithm === NSEC3_SHA1);
  if (known.length === 0) {
    const algorithm = parameters[0]?.algorithm;
    return new TransferFault(
      'nsec3-algorithm',
      `its NSEC3 records have the hash algorithm ${algorithm}, but only ${NSEC3_SHA1} (SHA-1) is allowed`,
    );
  }
  const iterations = Math.min(...known.map((each) => each.iterations));
  if (iterations <= MAX_NSEC3_ITERATIONS) return undefined;
  return new TransferFault(
    'nsec3-iterations',
    `its NSEC3 records have ${iterations} iterations, but at most ${MAX_NSEC3_ITERATIONS} are allowed`,
  );
}

/** Lists the parameters of complete chains. A chain that is being built has flags. */
async function listParameters(
  trx: Database,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<Nsec3Parameters[]> {
  const rows = await queryRows<{ rdata: Buffer }>(
    trx,
    `select r.rdata from dns.records as r where r.domain_id = ? and r.name = ? and r.type = 'NSEC3PARAM'`,
    [id, name],
  );
  return rows
    .map(({ rdata }) => nsec3ParametersFromWire(rdata))
    .filter((each) => each !== undefined && each.flags === 0) as Nsec3Parameters[];
}
