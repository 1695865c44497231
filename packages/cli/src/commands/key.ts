import { type AccessKey, type Client, NotFoundError } from '@zonewright/client';
import { collect, type Column, InputError } from '@zonewright/terminal';
import type { Command } from 'commander';
import { confirm, type Host } from '../command/host.js';
import {
  commandGroup,
  type CommonOptions,
  listCommand,
  PROGRAM,
  userCommand,
} from '../command/user-command.js';
import { writePrivate } from '../profile/profile-store.js';
import { withDot } from '../record/names.js';
import { type Session, withSession } from '../session/session.js';

export function keyCommands(host: Host): Command {
  return commandGroup(
    'key',
    'manage access keys',
    [create(host), list(host), rotate(host), remove(host)],
    'key create --name web1 --preset acme --domain example.com --output web1.env',
  );
}

interface CreateOptions extends CommonOptions {
  readonly name: string;
  readonly output: string;
  readonly preset?: string;
  readonly domain?: string;
  readonly record?: string;
  readonly type?: readonly string[];
  readonly readOnly?: boolean;
  readonly network?: readonly string[];
  readonly days?: string;
}

function create(host: Host): Command {
  return userCommand(
    'create',
    'create an access key and write it to a new file',
    'key create --name web1 --preset acme --domain example.com --output web1.env',
    'key create --name home --domain example.com --record home --type A --type AAAA --output home.env',
    'key create --name deploy --days 30 --output deploy.env',
  )
    .requiredOption('--name <name>', 'key name')
    .requiredOption('--output <file>', 'file to create, for --env-file')
    .option('--preset <name>', 'preset: acme, for the challenges of --domain')
    .option('--domain <name>', 'restrict the key to this domain')
    .option('--record <name>', 'restrict the key to this name, such as www; * and ** match labels')
    .option('--type <type>', 'restrict the key to this record type; repeatable', collect)
    .option('--read-only', 'allow reads only')
    .option('--network <cidr>', 'restrict the key to this network; repeatable', collect)
    .option('--days <number>', 'validity in days (default: ten years)')
    .action(
      withSession(host, async (session, options: CreateOptions) => {
        await makeKey(session, options, (tenantId) => ({
          name: options.name,
          ...restrictionOf(options, tenantId),
        }));
        session.output.remark(`To test it: ${PROGRAM} whoami --env-file ${options.output}`);
      }),
    );
}

type Restriction = Exclude<Parameters<Client['keys']['create']>[0]['otherAttributes'], undefined>;

/** Creates a key in its own file, which is created before the key. The secret is not printed. @throws InputError */
async function makeKey(
  { client, output }: Session,
  options: Pick<CreateOptions, 'output' | 'days' | 'curl'>,
  attributesFor: (tenantId: string | undefined) => Restriction,
): Promise<void> {
  const { tenant } = await client.session();
  const until = endOf(options);
  const otherAttributes = attributesFor(tenant?.id);
  if (options.curl !== true) writePrivate(options.output, '');
  const key = await client.keys.create({ ...until, otherAttributes });
  writePrivate(options.output, renderEnvFile(client.identityUrl, key, tenant?.id));
  output.done(`Access key ${key.accessKeyId} created in ${options.output}.`, {
    ...key,
    secretKey: undefined,
  });
}

/** Returns the restriction of a key for the identity service (docs/operations/keys.md). @throws InputError */
function restrictionOf(options: CreateOptions, tenantId: string | undefined): Restriction {
  const { preset, domain, network } = options;
  const zone = domain === undefined ? undefined : withDot(domain);
  const common = {
    ...(network === undefined ? {} : { networks: [...network] }),
    ...(tenantId === undefined ? {} : { tenantId }),
  };
  if (preset !== undefined) {
    if (preset !== 'acme') throw new InputError(`there is no preset ${preset}. Use acme.`);
    if (zone === undefined) throw new InputError('--preset needs --domain');
    return { preset, zone, ...common };
  }
  const rules = rulesOf(options, zone);
  if (rules.length === 0 && network === undefined) return {};
  return { restrictions: { ...(rules.length === 0 ? {} : { rules }), ...common } };
}

/** Returns undefined if the key has all rights of its user. */
function rulesOf({ record, type, readOnly }: CreateOptions, zone: string | undefined) {
  if (zone === undefined) {
    if ([record, type, readOnly].every((each) => each === undefined)) return [];
    throw new InputError('--record, --type and --read-only need --domain');
  }
  return [
    {
      zone,
      ...(record === undefined ? {} : { name: record }),
      ...(type === undefined ? {} : { types: type.map((each) => each.toUpperCase()) }),
      actions: readOnly === true ? ['read'] : ['read', 'update'],
    },
  ];
}

function renderEnvFile(identityUrl: string, key: AccessKey, tenantId: string | undefined): string {
  const facts = {
    ZONEWRIGHT_IDENTITY_URL: identityUrl,
    ZONEWRIGHT_TENANT_ID: tenantId,
    ZONEWRIGHT_ACCESS_KEY: key.accessKeyId,
    ZONEWRIGHT_SECRET_KEY: key.secretKey,
  };
  const lines = Object.entries(facts).filter(([, value]) => value !== undefined);
  return lines.map(([name, value]) => `${name}=${value ?? ''}\n`).join('');
}

function rotate(host: Host): Command {
  return userCommand(
    'rotate',
    'create a second key with the same rights',
    'key rotate ABCDEFGHIJ0123456789 --output web1.env',
  )
    .argument('<id>', 'ID of the old key, as `key list` shows it')
    .option('--name <name>', 'key name (default: name of the old key and the date)')
    .requiredOption('--output <file>', 'file to create, for --env-file')
    .option('--days <number>', 'validity in days (default: ten years)')
    .action(
      withSession(
        host,
        async (
          session,
          id: string,
          options: Pick<CreateOptions, 'output' | 'days' | 'curl'> & { readonly name?: string },
        ) => {
          const { client, output, reading } = session;
          const old = (await client.keys.list(reading)).find(
            ({ accessKeyId }) => accessKeyId === id,
          );
          if (old === undefined) {
            throw new NotFoundError(`there is no access key ${id}. See ${PROGRAM} key list`);
          }
          const day = new Date().toISOString().slice(0, 10);
          const name = options.name ?? `${old.otherAttributes.name ?? id}-${day}`;
          await makeKey(session, options, () => ({ ...old.otherAttributes, name }));
          output.remark(`When no program uses the old key: ${PROGRAM} key delete ${id}`);
        },
      ),
    );
}

/** Returns the expiry time. @throws InputError */
function endOf({ days }: Pick<CreateOptions, 'days'>): { readonly validTo?: string } {
  if (days === undefined) return {};
  const until = Date.now() + Number(days) * 86_400_000;
  if (!(until > Date.now())) throw new InputError('--days must be a number greater than 0');
  return { validTo: new Date(until).toISOString().slice(0, 19) };
}

interface KeyRow {
  readonly id: string;
  readonly name: string | undefined;
  readonly status: string;
  readonly ends: Date;
  readonly restrictedTo: string | undefined;
}

const COLUMNS: readonly Column<KeyRow>[] = [
  { title: 'ID', member: 'id' },
  { title: 'Name', member: 'name' },
  { title: 'Status', member: 'status' },
  { title: 'Expires', member: 'ends' },
  { title: 'Restrictions', member: 'restrictedTo', none: 'none', isCut: true },
];

function list(host: Host): Command {
  return listCommand('list', 'list your access keys', 'key list').action(
    withSession(host, async ({ client, output, reading }) => {
      output.list((await client.keys.list(reading)).map(toRow), COLUMNS);
    }),
  );
}

function toRow({ accessKeyId, status, validTo, otherAttributes }: AccessKey): KeyRow {
  const { name, restrictions } = otherAttributes;
  const rules = restrictions?.rules ?? [];
  const words = rules.map(
    ({ zone, name: record, types, actions }) =>
      `${actions.join('+')} ${types.join('+')} ${record} in ${zone}`,
  );
  const networks = restrictions?.networks ?? [];
  const from = networks.length === 0 ? [] : [`from ${networks.join(' ')}`];
  const all = [...words, ...from];
  return {
    id: accessKeyId,
    name,
    status,
    ends: new Date(validTo),
    restrictedTo: restrictions === undefined ? undefined : all.join(', ') || 'its project',
  };
}

function remove(host: Host): Command {
  return userCommand('delete', 'delete an access key at once', 'key delete ABCDEFGHIJ0123456789')
    .argument('<id>', 'ID of the key, as `key list` shows it')
    .option('--yes', 'do not ask for confirmation')
    .action(
      withSession(
        host,
        async ({ client, output, reading }, id: string, options: { yes?: boolean }) => {
          await confirm(host, options, `Delete access key ${id}?`);
          await client.keys.delete(id, reading);
          output.done(`Access key ${id} deleted.`, { id });
        },
      ),
    );
}
