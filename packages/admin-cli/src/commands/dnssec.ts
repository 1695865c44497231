import type { Database } from '@zonewright/database';
import { isSigningAlgorithm, type SigningAlgorithm } from '@zonewright/dns-records/dnssec';
import { ServiceError, systemClock } from '@zonewright/service-kit';
import type { Column } from '@zonewright/terminal';
import {
  disableDnssec,
  type DnssecWork,
  enableDnssec,
  findZoneNamed,
  getZoneDnssec,
  type ListedSigning,
  listSignings,
  readExternalKeys,
  rollOver,
  type Zone,
} from '@zonewright/zones';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup, operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';

export function dnssecCommands(host: Host): Command {
  return commandGroup(
    'dnssec',
    'manage signed domains of all tenants; the signer applies changes within a second',
    [
      dnssecListCommand(host),
      dnssecShowCommand(host),
      dnssecSignCommand(host),
      dnssecRolloverCommand(host),
      dnssecForeignKeysCommand(host),
      dnssecLeaveCommand(host),
    ],
    'dnssec list',
  );
}

type Change = (
  work: DnssecWork,
  target: { readonly id: string; readonly ifMatch: undefined },
) => Promise<unknown>;

/**
 * Creates the action of a command whose first argument is a domain. It makes a change on behalf of the domain's
 * tenant, by the rules of the API, and shows the resulting state.
 * @param read returns the change for the other arguments; throws if they are invalid
 */
function dnssecAction<A extends unknown[]>(host: Host, read: (...args: A) => Change) {
  return withSession(host, async ({ db, output }, reference: string, ...args: A) => {
    const change = read(...args);
    const shown = await db.transaction(async (trx) => {
      const zone = await getZoneNamed(trx, reference);
      const caller = { userId: 'operator', tenantId: zone.tenantId, roles: [] };
      const work = { trx, caller, clock: systemClock, isDryRun: false };
      await change(work, { id: zone.id, ifMatch: undefined });
      return await showDnssec(trx, zone);
    });
    output.item(shown, DNSSEC_COLUMNS);
  });
}

const SIGNING_COLUMNS: readonly Column<ListedSigning>[] = [
  { title: 'Domain', member: 'name' },
  { title: 'Tenant', member: 'tenantId' },
  { title: 'State', member: 'state' },
  { title: 'Algorithm', member: 'algorithm' },
  { title: 'Keys', member: 'keys' },
  { title: 'Since', member: 'changedAt' },
  { title: 'Requested', member: 'wish', none: 'none' },
  { title: 'DS at parent', member: 'parentDs', none: 'unknown' },
];

const DNSSEC_COLUMNS: readonly Column<ShownDnssec>[] = [
  { title: 'Domain', member: 'name' },
  { title: 'Tenant', member: 'tenantId' },
  { title: 'State', member: 'state' },
  { title: 'DS', member: 'ds', none: 'none' },
  { title: 'Keys', member: 'keys', none: 'none' },
  { title: 'Keys of another provider', member: 'foreignKeys', none: 'none' },
  { title: 'Missing', member: 'missing', none: 'nothing' },
];

interface ForeignKeyOptions {
  readonly none?: boolean;
  readonly force?: boolean;
}

function dnssecForeignKeysCommand(host: Host): Command {
  return operatorCommand(
    'foreign-keys',
    'set the keys of another provider while a domain moves; replaces earlier ones',
    'dnssec foreign-keys example.com. "257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0d..."',
    'dnssec foreign-keys example.com. --none',
  )
    .argument('<domain>', 'name')
    .argument('[dnskeys...]', 'DNSKEY data in quotes, as in a zone file')
    .option('--none', 'remove the keys, once the parent zone no longer has their DS records')
    .option(
      '--force',
      'remove keys at once; resolvers that cached data of the other provider fail validation',
    )
    .action(
      dnssecAction(
        host,
        (dnskeys: readonly string[], { none = false, force = false }: ForeignKeyOptions) => {
          const foreign = { keys: readKeys(dnskeys, none), atOnce: force };
          return (work, target) => enableDnssec(work, target, { foreign });
        },
      ),
    );
}

function readKeys(dnskeys: readonly string[], none: boolean) {
  if (none === dnskeys.length > 0) {
    throw new ServiceError('invalid', 'specify the DNSKEYs of the other provider, or --none');
  }
  const { keys, problems } = readExternalKeys(dnskeys);
  const [problem] = problems;
  if (problem === undefined) return keys;
  const which = problem.at === undefined ? 'the arguments' : `DNSKEY ${problem.at + 1}`;
  throw new ServiceError('invalid', `${which} ${problem.message}`);
}

function dnssecLeaveCommand(host: Host): Command {
  return operatorCommand(
    'leave',
    'stop signing a domain once its parent has no DS record',
    'dnssec leave example.com.',
  )
    .argument('<domain>', 'name')
    .option(
      '--force',
      'stop at once; while the parent zone has a DS record, validating resolvers fail',
    )
    .action(
      dnssecAction(
        host,
        ({ force = false }: { readonly force?: boolean }) =>
          (work, target) =>
            disableDnssec(work, target, { force }),
      ),
    );
}

function dnssecListCommand(host: Host): Command {
  return operatorCommand(
    'list',
    'list signed domains, and those whose signing begins or ends',
    'dnssec list',
    'dnssec list --state leaving',
  )
    .option('--state <state>', 'only domains in this state: signing, signed, leaving or unsigning')
    .action(
      withSession(host, async ({ db, output }, { state }: { readonly state?: string }) => {
        const zones = await listSignings(db);
        output.list(
          state === undefined ? zones : zones.filter((zone) => zone.state === state),
          SIGNING_COLUMNS,
        );
      }),
    );
}

function dnssecRolloverCommand(host: Host): Command {
  return operatorCommand('rollover', 'replace the key of a domain', 'dnssec rollover example.com.')
    .argument('<domain>', 'name')
    .action(dnssecAction(host, () => rollOver));
}

function dnssecShowCommand(host: Host): Command {
  return operatorCommand(
    'show',
    'show the DS record, the keys, and what is missing',
    'dnssec show example.com.',
  )
    .argument('<domain>', 'name')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        output.item(await showDnssec(db, await getZoneNamed(db, reference)), DNSSEC_COLUMNS);
      }),
    );
}

function dnssecSignCommand(host: Host): Command {
  return operatorCommand(
    'sign',
    'sign a domain, or change its algorithm',
    'dnssec sign example.com.',
    'dnssec sign example.com. --algorithm 15',
  )
    .argument('<domain>', 'name')
    .option('--algorithm <number>', '13 (ECDSA P-256 with SHA-256, the default) or 15 (Ed25519)')
    .action(
      dnssecAction(host, (given: { readonly algorithm?: string }) => {
        const algorithm = readAlgorithm(given.algorithm);
        return (work, target) => enableDnssec(work, target, { algorithm });
      }),
    );
}

function readAlgorithm(given: string | undefined): SigningAlgorithm | undefined {
  if (given === undefined) return undefined;
  const algorithm = Number(given);
  if (isSigningAlgorithm(algorithm)) return algorithm;
  throw new ServiceError('invalid', 'the algorithm must be 13 or 15');
}

type NamedZone = Pick<Zone, 'id' | 'name' | 'tenantId'>;

/** Describes how a domain is signed, in the form of zone files. */
interface ShownDnssec {
  readonly name: string;
  readonly tenantId: string;
  readonly state: string;
  readonly ds: string | null;
  readonly keys: string | null;
  readonly foreignKeys: string | null;
  readonly missing: string | null;
}

/**
 * Returns the domain with this name, whichever tenant owns it.
 * @throws ServiceError `not-found`
 */
async function getZoneNamed(db: Database, reference: string): Promise<NamedZone> {
  const name = `${reference.toLowerCase().replace(/\.$/, '')}.`;
  const zone = await findZoneNamed(db, name);
  if (zone === undefined) throw new ServiceError('not-found', `there is no domain ${name}`);
  return zone;
}

async function showDnssec(db: Database, zone: NamedZone): Promise<ShownDnssec> {
  const { state = 'unsigned', ds, keys, foreignKeys, missing } = await getZoneDnssec(db, zone);
  const dsTexts = ds.map(({ keyTag, algorithm, digestType, digest }) =>
    [keyTag, algorithm, digestType, digest.toUpperCase()].join(' '),
  );
  const keyTexts = keys.map((key) => `${key.keyTag} (algorithm ${key.algorithm}, ${key.state})`);
  const foreign = foreignKeys.map((key) => `${key.keyTag} (${key.state})`);
  return {
    ...{ name: zone.name, tenantId: zone.tenantId, state },
    ds: dsTexts.join(', ') || null,
    keys: keyTexts.join(', ') || null,
    foreignKeys: foreign.join(', ') || null,
    missing: missing ?? null,
  };
}
