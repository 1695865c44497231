import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import { readCodeBlocks } from '@zonewright/testkit';
import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { authenticate, call } from './support/clients.js';
import { itWithAll, run, TIMEOUT_MS } from './support/foreign-programs.js';
import { Pebble } from './support/pebble.js';
import { PROJECT, RunningPlatform } from './support/running-platform.js';

const DOMAIN = 'recipes.example';

/** The commands of a recipe; the first block says what is the reader's, and the test has its own. */
function readRecipe(name: string): readonly string[] {
  const text = readFileSync(join(PROJECT, 'docs/recipes', `${name}.md`), 'utf8');
  return readCodeBlocks(text, 'sh').slice(1);
}

describe('The commands of docs/recipes', () => {
  let platform: RunningPlatform;
  let facts: Record<string, string>;
  let pebble: Pebble | undefined;
  let folder: string;
  let zoneId: string;
  let token: string;

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start();
    facts = await platform.readDemoEnvironment();
    folder = join(platform.dataFolder, '..', 'recipes');
    mkdirSync(folder);
    token = await authenticate(facts);
    const { body } = await call(`${facts['ZONEWRIGHT_DNS_URL'] ?? ''}/v1/domains`, {
      method: 'POST',
      token,
      body: { name: `${DOMAIN}.`, email: `hostmaster@${DOMAIN}` },
    });
    zoneId = (body as { id: string }).id;
  }, TIMEOUT_MS);
  afterEach(async () => {
    await pebble?.stop();
  });
  afterAll(async () => {
    await platform.remove();
  });

  /** The user of the demo, for `openstack`. */
  const owner = () => ({
    OS_CLIENT_CONFIG_FILE: join(platform.dataFolder, 'clouds.yaml'),
    OS_CLOUD: 'zonewright',
  });

  function shell(script: string, env: Record<string, string>) {
    return run('/bin/bash', ['--norc', '-euc', `cd '${folder}'\n${script}`], {
      DOMAIN,
      OS_AUTH_URL: `${facts['ZONEWRIGHT_IDENTITY_URL'] ?? ''}/v3`,
      ...env,
    });
  }

  async function listTypes(): Promise<string[]> {
    const url = `${facts['ZONEWRIGHT_DNS_URL'] ?? ''}/v1/domains/${zoneId}/records`;
    const { body } = await call(url, { token });
    return (body as { records: { type: string }[] }).records.map(({ type }) => type);
  }

  /** What differs from a public authority and public nameservers, and nothing else. */
  function withPebble(commands: string): string {
    const { host, port } = platform.nameserver;
    const options = `--server '${pebble?.directoryUrl ?? ''}' --dns.resolvers '${host}:${port}' --dns.disable-cp`;
    return `lego() { command lego ${options} "$@"; }\n${commands}`;
  }

  async function issue(provider: string): Promise<void> {
    const [create = '', load = '', byProvider = '', byHook = ''] = readRecipe('lego');
    pebble = await Pebble.start(folder, platform.nameserver);
    expect(shell(create, owner())).toMatchObject({ status: 0 });
    const commands = provider === 'designate' ? byProvider : byHook;
    const issued = shell(`${load}\n${withPebble(commands)}`, {
      LEGO_CA_CERTIFICATES: pebble.certificateFile,
      LEGO_PATH: join(folder, provider),
      DESIGNATE_POLLING_INTERVAL: '3',
      EXEC_POLLING_INTERVAL: '3',
    });
    const { status, stderr } = issued;
    expect(status === 0 ? '' : stderr).toBe('');
    const file = join(folder, provider, 'certificates', `${DOMAIN}.crt`);
    const { subjectAltName } = new X509Certificate(readFileSync(file));
    expect(subjectAltName?.split(', ').sort()).toEqual([`DNS:*.${DOMAIN}`, `DNS:${DOMAIN}`]);
    expect(await listTypes()).toEqual([]);
    const [, secret = ''] = readFileSync(join(folder, 'credential'), 'utf8').split('\n');
    expect(secret).not.toBe('');
    expect(issued.stdout + stderr).not.toContain(secret);
    // It can do nothing else.
    const other = shell(
      `${load}\nexport OS_AUTH_TYPE=v3applicationcredential OS_IDENTITY_API_VERSION=3
       openstack recordset create '${DOMAIN}.' www --type A --record 192.0.2.1`,
      {},
    );
    expect(other).toMatchObject({ status: 1, stderr: expect.stringContaining('restrictions') });
    const remove = `openstack application credential delete 'lego-${DOMAIN}'`;
    expect(shell(remove, owner())).toMatchObject({ status: 0 });
  }

  itWithAll(['pebble', 'lego', 'openstack'], ['grep -q providers/dns/designate "$(which lego)"'])(
    'lego by its provider: a certificate, with an application credential that can write nothing but challenges',
    async () => {
      await issue('designate');
    },
    10 * TIMEOUT_MS,
  );

  itWithAll(['pebble', 'lego', 'openstack'])(
    "Debian's lego by a hook: the same",
    async () => {
      await issue('exec');
    },
    10 * TIMEOUT_MS,
  );
});
