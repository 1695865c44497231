import type { Client, Credentials, Session } from '@zonewright/client';
import { promptLine, InputError, readSecret } from '@zonewright/terminal';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { accountCommand, type CommonOptions, PROGRAM } from '../command/user-command.js';
import { createClient, type nodeFetch } from '../http/node-client.js';
import { fetchFor } from '../http/watched-fetch.js';
import type { Access } from '../profile/access.js';
import { requireHelper } from '../profile/credential-helper.js';
import { findGivenAccess, findProfile } from '../profile/find-access.js';
import {
  forgetSecret,
  saveSecret,
  type Profile,
  profileFile,
  readProfiles,
  writeProfiles,
} from '../profile/profile-store.js';
import { outputOf, withSession } from '../session/session.js';
import { dropProfile, forget, saveLogin } from './profile.js';

interface LogInOptions extends CommonOptions {
  readonly username?: string;
  readonly project?: string;
  readonly passwordStdin?: boolean;
  readonly accessKey?: string;
  readonly secretStdin?: boolean;
  readonly storage?: string;
}

/** Value that stores the secret in the file of profiles. */
const FILE = 'file';

export function logInCommand(host: Host): Command {
  return accountCommand(
    'login',
    'log in and store an access key for other commands',
    'login https://identity.example.net --username alice --project shop',
    'login --env-file .zonewright/demo.env',
  )
    .argument('[url]', 'URL of the identity service (default: OS_AUTH_URL)')
    .option('--username <name>', 'user name (default: prompt)')
    .option('--project <name>', 'project; required if you have several')
    .option('--password-stdin', 'read the password from standard input (default: prompt)')
    .option('--access-key <id>', 'log in with this access key instead of a password')
    .option('--secret-stdin', 'read the secret key from standard input (default: prompt)')
    .option(
      '--storage <where>',
      'where to store the secret key: file, or a credential helper such as pass, secretservice or osxkeychain (default: as in the last login, else file)',
    )
    .action(async (url: string | undefined, options: LogInOptions) => {
      const name = options.profile ?? 'default';
      const old = readProfiles(host).profiles[name];
      const storage = options.storage === FILE ? undefined : (options.storage ?? old?.storage);
      if (storage !== undefined) requireHelper(host, storage);
      const fetch = fetchFor(host, options);
      const access = await findAccess(host, url, options);
      const { session, access: scoped } = await openProject(access, host.signal, fetch);
      const client = createClient({ ...scoped, auth: session }, fetch);
      const kept = await saveLogin(host, { client, session, access: scoped, old });
      await keepProfile(host, client, { name, kept, old, storage });
      const output = outputOf(host, options);
      const where = session.tenant?.name ?? '';
      output.done(`Logged in to ${kept.identityUrl} as ${session.user.name}, project ${where}.`, {
        profile: name,
        user: session.user,
        project: session.tenant,
        file: profileFile(host),
      });
      if (session.dnsUrl === undefined) {
        output.remark(
          `The DNS service is not active for project ${where}, or you have no role for it.`,
        );
      } else output.remark(`Next: ${PROGRAM} domain add example.com`);
    });
}

interface NewProfile {
  readonly name: string;
  readonly kept: Profile;
  /** Previous profile of this name. */
  readonly old: Profile | undefined;
  /** Program that stores the secret. Undefined if the file contains it. */
  readonly storage: string | undefined;
}

/**
 * Writes the profile to the file and the secret to its storage. If the secret cannot be stored, the key is deleted,
 * since it would be useless.
 */
async function keepProfile(
  host: Host,
  client: Client,
  { name, kept, old, storage }: NewProfile,
): Promise<void> {
  try {
    const profile = saveSecret(host, kept, storage);
    const { profiles } = readProfiles(host);
    writeProfiles(host, { current: name, profiles: { ...profiles, [name]: profile } });
  } catch (error) {
    if (kept.isOwnKey) await forget(client, kept);
    throw error;
  }
  if (old !== undefined && old.accessKeyId !== kept.accessKeyId) forgetSecret(host, old);
}

async function findAccess(
  host: Host,
  url: string | undefined,
  options: LogInOptions,
): Promise<Access> {
  const { envFile, username, accessKey, project } = options;
  // This command creates profiles, so only a file or the environment can contain the credentials.
  const given = findGivenAccess(host, envFile === undefined ? {} : { envFile });
  const isByHand = [url, username, accessKey].some((each) => each !== undefined);
  if (given !== undefined && !isByHand) return { ...given, auth: inProject(given.auth, project) };
  const identityUrl = url ?? given?.identityUrl ?? (await askUrl(host));
  if (!/^https?:\/\//.test(identityUrl)) {
    throw new InputError(`${identityUrl} is not a URL. Example: https://identity.example.net`);
  }
  return { identityUrl, auth: inProject(await askCredentials(host, options), project) };
}

function askUrl(host: Host): Promise<string> {
  return promptLine(host, 'URL of the identity service', 'an argument');
}

function inProject(auth: Credentials, tenantName: string | undefined): Credentials {
  return tenantName === undefined ? auth : { ...auth, tenantName, tenantId: undefined };
}

async function askCredentials(host: Host, options: LogInOptions): Promise<Credentials> {
  const { accessKey: accessKeyId, passwordStdin, secretStdin } = options;
  if (accessKeyId !== undefined) {
    const question = {
      what: 'secret key',
      option: '--secret-stdin',
      fromStdin: secretStdin === true,
    };
    return { accessKeyId, secretKey: await readSecret(host, { ...question, isKnown: true }) };
  }
  const username = options.username ?? (await promptLine(host, 'username', '--username'));
  const question = {
    what: 'password',
    option: '--password-stdin',
    fromStdin: passwordStdin === true,
  };
  return { username, password: await readSecret(host, { ...question, isKnown: true }) };
}

/** Logs in to the named project, or to the only one. @throws InputError if there are several */
async function openProject(
  access: Access,
  signal: AbortSignal,
  fetch: typeof nodeFetch,
): Promise<{ readonly session: Session; readonly access: Access }> {
  const client = createClient(access, fetch);
  const session = await client.session();
  const { tenant } = session;
  if (tenant !== undefined) {
    const { tenantId = tenant.id, tenantName } = access.auth;
    const auth = tenantName === undefined ? { ...access.auth, tenantId } : access.auth;
    return { session, access: { ...access, auth } };
  }
  const { tenants } = (await client.call('listTenants', {}, { signal })).value;
  if (tenants.length === 0) throw new InputError(`${session.user.name} has no project`);
  const names = tenants.map(({ name }) => name).join(', ');
  throw new InputError(`you have several projects. Choose one with --project: ${names}`);
}

export function logOutCommand(host: Host): Command {
  return accountCommand(
    'logout',
    'log out and delete the access key of the login',
    'logout',
  ).action(async (options: CommonOptions) => {
    const profile = findProfile(host, options.profile);
    const profiles = await dropProfile(host, profile, options);
    const { identityUrl, isOwnKey, accessKeyId } = profile;
    const key = isOwnKey ? ` Access key ${accessKeyId} deleted.` : '';
    outputOf(host, options).done(`Logged out of ${identityUrl}.${key}`, { profiles });
  });
}

export function whoAmICommand(host: Host): Command {
  return accountCommand('whoami', 'show user, project and roles of the login', 'whoami').action(
    withSession(host, async ({ client, output }) => {
      const { user, tenant, roles, dnsUrl } = await client.session();
      const row = {
        user: user.name,
        project: tenant?.name,
        projectId: tenant?.id,
        roles: [...new Set(roles)],
        dns: dnsUrl,
      };
      output.item(row, [
        { title: 'User', member: 'user' },
        { title: 'Project', member: 'project' },
        { title: 'Project ID', member: 'projectId' },
        { title: 'Roles', member: 'roles' },
        { title: 'DNS API', member: 'dns', none: 'not active' },
      ]);
    }),
  );
}
