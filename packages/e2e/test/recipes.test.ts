import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import { freePort, readCodeBlocks, readSection, waitFor } from '@zonewright/testkit';
import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { authenticate, call, insist } from './support/clients.js';
import { itWith, itWithAll, PYTHON, run, TIMEOUT_MS } from './support/foreign-programs.js';
import { KeaDdns } from './support/kea-ddns.js';
import { Pebble } from './support/pebble.js';
import { PROJECT, RunningPlatform } from './support/running-platform.js';

const DOMAIN = 'recipes.example';
const NAMES = [`DNS:*.${DOMAIN}`, `DNS:${DOMAIN}`];

/** Returns the code blocks in a recipe's section. */
function readRecipe(page: string, section: string, language = 'sh'): readonly string[] {
  const text = readFileSync(join(PROJECT, 'docs/recipes', `${page}.md`), 'utf8');
  return readCodeBlocks(readSection(text, section), language);
}

/** Returns the command of a page that creates a key, with a unique name, since the tests share one user. */
function keyOf(page: string, name: string): string {
  return rename(readRecipe(page, 'The key')[1] ?? '', name);
}

function rename(commands: string, name: string): string {
  return commands.replaceAll(/\b(?:web1|home)(?=\.env)|(?<=--name )\w+/g, name);
}

describe('The commands of docs/recipes', () => {
  let platform: RunningPlatform;
  let facts: Record<string, string>;
  let pebble: Pebble | undefined;
  let folder: string;
  /** Folder that contains `zonewright` under its name after an installation. */
  let bin: string;
  let zoneId: string;
  let token: string;

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start();
    facts = await platform.readDemoEnvironment();
    folder = join(platform.dataFolder, '..', 'recipes');
    bin = join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    const program = join(PROJECT, 'packages/cli/dist/main.js');
    const script = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`;
    writeFileSync(join(bin, 'zonewright'), script, { mode: 0o755 });
    token = await authenticate(facts);
    const { body } = await insist(`${facts['ZONEWRIGHT_DNS_URL'] ?? ''}/v1/domains`, {
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

  /** Returns the environment of the demo user for `openstack`. */
  const owner = () => ({
    OS_CLIENT_CONFIG_FILE: join(platform.dataFolder, 'clouds.yaml'),
    OS_CLOUD: 'zonewright',
  });

  function shell(script: string, env: Record<string, string>) {
    return run('/bin/bash', ['--norc', '-euc', `cd '${folder}'\n${script}`], {
      DOMAIN,
      OS_AUTH_URL: `${facts['ZONEWRIGHT_IDENTITY_URL'] ?? ''}/v3`,
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      ...env,
    });
  }

  /** Creates a key as a logged-in user. The program that uses it is not logged in. */
  function makeKey(command: string): void {
    const { status, stderr } = shell(command, facts);
    expect(status === 0 ? '' : stderr).toBe('');
  }

  async function listTypes(): Promise<string[]> {
    const url = `${facts['ZONEWRIGHT_DNS_URL'] ?? ''}/v1/domains/${zoneId}/records`;
    const { body } = await call(url, { token });
    return (body as { records: { type: string }[] }).records.map(({ type }) => type);
  }

  /** Replaces only what differs from a public authority and public nameservers. */
  function withPebble(commands: string): string {
    const { host, port } = platform.nameserver;
    const options = `--server '${pebble?.directoryUrl ?? ''}' --dns.resolvers '${host}:${port}' --dns.disable-cp`;
    return `lego() { command lego ${options} "$@"; }\n${commands}`;
  }

  /** Returns the data of an answer. */
  function ask(name: string, type: string): string {
    const { host, port } = platform.nameserver;
    return run('dig', ['+short', '-p', String(port), `@${host}`, name, type]).stdout.trim();
  }

  /** Returns the names of a certificate. */
  function namesOf(file: string): string[] | undefined {
    const { subjectAltName } = new X509Certificate(readFileSync(file));
    return subjectAltName?.split(', ').sort();
  }

  async function issue(provider: string): Promise<void> {
    const [create = '', load = '', byProvider = '', byHook = ''] = readRecipe(
      'acme',
      'lego with an application credential',
    );
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
    expect(namesOf(file)).toEqual(NAMES);
    expect(await listTypes()).toEqual([]);
    const [, secret = ''] = readFileSync(join(folder, 'credential'), 'utf8').split('\n');
    expect(secret).not.toBe('');
    expect(issued.stdout + stderr).not.toContain(secret);
    // The key can do nothing else.
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

  itWithAll(['pebble', 'lego'])(
    'lego by dynamic update, with an access key: a certificate',
    async () => {
      pebble = await Pebble.start(folder, platform.nameserver);
      makeKey(keyOf('acme', 'lego1'));
      const [update = ''] = readRecipe('acme', 'lego by dynamic update');
      const issued = shell(withPebble(rename(update, 'lego1')), {
        ZONEWRIGHT_NAMESERVER: facts['ZONEWRIGHT_NAMESERVER'] ?? '',
        LEGO_CA_CERTIFICATES: pebble.certificateFile,
        LEGO_PATH: join(folder, 'rfc2136'),
        RFC2136_POLLING_INTERVAL: '1',
        RFC2136_SEQUENCE_INTERVAL: '1',
      });
      expect(issued.status === 0 ? '' : issued.stderr).toBe('');
      expect(namesOf(join(folder, 'rfc2136/certificates', `${DOMAIN}.crt`))).toEqual(NAMES);
      expect(await listTypes()).toEqual([]);
    },
    10 * TIMEOUT_MS,
  );

  itWithAll(['pebble', 'certbot'], [`${PYTHON} -c 'import certbot_dns_rfc2136'`])(
    'certbot by dynamic update, whose SOA queries are signed: a certificate',
    async () => {
      pebble = await Pebble.start(folder, platform.nameserver);
      makeKey(keyOf('acme', 'certbot1'));
      const [write = '', certify = ''] = readRecipe('acme', 'certbot by dynamic update');
      const folders = ['config', 'work', 'logs']
        .map((each) => `--${each}-dir '${join(folder, 'certbot', each)}'`)
        .join(' ');
      const options = `--server '${pebble.directoryUrl}' ${folders}`;
      const { host, port } = platform.nameserver;
      const issued = shell(
        `certbot() { command certbot ${options} "$@"; }\n${rename(write, 'certbot1')}\n${certify}`,
        {
          DNS_SERVER: host,
          DNS_PORT: String(port),
          REQUESTS_CA_BUNDLE: pebble.certificateFile,
        },
      );
      expect(issued.status === 0 ? '' : issued.stdout + issued.stderr).toBe('');
      const file = join(folder, 'certbot/config/live', DOMAIN, 'cert.pem');
      expect(namesOf(file)).toEqual(NAMES);
      expect(await listTypes()).toEqual([]);
    },
    10 * TIMEOUT_MS,
  );

  itWithAll(['pebble', 'certbot'])(
    'certbot by our hook: the same, without any time to wait for',
    async () => {
      pebble = await Pebble.start(folder, platform.nameserver);
      makeKey(keyOf('acme', 'certbot2'));
      const [certify = ''] = readRecipe('acme', 'certbot over HTTP');
      const folders = ['config', 'work', 'logs']
        .map((each) => `--${each}-dir '${join(folder, 'certbot-by-hook', each)}'`)
        .join(' ');
      const options = `--server '${pebble.directoryUrl}' ${folders}`;
      const issued = shell(
        `certbot() { command certbot ${options} "$@"; }\n${rename(certify, 'certbot2')}`,
        {
          REQUESTS_CA_BUNDLE: pebble.certificateFile,
        },
      );
      expect(issued.status === 0 ? '' : issued.stdout + issued.stderr).toBe('');
      const file = join(folder, 'certbot-by-hook/config/live', DOMAIN, 'cert.pem');
      expect(namesOf(file)).toEqual(NAMES);
      expect(await listTypes()).toEqual([]);
    },
    10 * TIMEOUT_MS,
  );

  itWithAll(['pebble', 'dehydrated'])(
    'dehydrated by our hook: a certificate, with a key that can write nothing but challenges',
    async () => {
      pebble = await Pebble.start(folder, platform.nameserver);
      const [configure = '', certify = ''] = readRecipe('acme', 'dehydrated');
      makeKey(keyOf('acme', 'dehydrated1'));
      const differs = `printf 'CA="%s"\nCURL_OPTS="--cacert %s"\n' '${pebble.directoryUrl}' '${pebble.certificateFile}' >>config`;
      const commands = `${rename(configure, 'dehydrated1')}\n${differs}\n${certify}`;
      const issued = shell(commands, { HOME: folder });
      expect(issued.status === 0 ? '' : issued.stdout + issued.stderr).toBe('');
      expect(namesOf(join(folder, 'certs', DOMAIN, 'cert.pem'))).toEqual(NAMES);
      expect(await listTypes()).toEqual([]);
    },
    10 * TIMEOUT_MS,
  );

  itWithAll(['pebble', 'lego'])(
    'lego by httpreq, and acme-dns by curl: a certificate, and the text of a challenge',
    async () => {
      pebble = await Pebble.start(folder, platform.nameserver);
      const [issue = ''] = readRecipe('acme', 'httpreq (lego, Traefik)');
      const [update = '', account = ''] = readRecipe(
        'acme',
        'acme-dns (cert-manager, Caddy, acme.sh)',
      );
      makeKey(keyOf('acme', 'web1'));
      const DNS_URL = facts['ZONEWRIGHT_DNS_URL'] ?? '';
      const issued = shell(withPebble(issue), {
        DNS_URL,
        LEGO_CA_CERTIFICATES: pebble.certificateFile,
        LEGO_PATH: join(folder, 'httpreq'),
        HTTPREQ_POLLING_INTERVAL: '1',
      });
      expect(issued.status === 0 ? '' : issued.stderr).toBe('');
      expect(namesOf(join(folder, 'httpreq/certificates', `${DOMAIN}.crt`))).toEqual(NAMES);
      expect(await listTypes()).toEqual([]);
      const text = '{"txt":"LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0"}';
      expect(shell(update, { DNS_URL })).toMatchObject({ status: 0, stdout: text });
      expect(ask(`_acme-challenge.${DOMAIN}`, 'TXT')).toBe(
        '"LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0"',
      );
      expect(shell(account, {})).toMatchObject({ status: 0 });
      const kept = readFileSync(join(folder, 'acme-dns.json'), 'utf8');
      expect(JSON.parse(kept)).toMatchObject({
        [DOMAIN]: { fulldomain: `_acme-challenge.${DOMAIN}` },
      });
    },
    10 * TIMEOUT_MS,
  );

  itWithAll(['kea-dhcp-ddns', 'dig'])(
    'Kea D2: the name of a client, with its DHCID',
    async () => {
      const { host, port } = platform.nameserver;
      const own = await freePort();
      const [text = ''] = readRecipe('dyndns', 'DHCP clients by Kea', 'json');
      const values: Record<string, string> = {
        ACCESS_KEY: facts['ZONEWRIGHT_ACCESS_KEY'] ?? '',
        SECRET_KEY: facts['ZONEWRIGHT_SECRET_KEY'] ?? '',
        ZONE: `${DOMAIN}.`,
        '192.0.2.1': host,
        '"port": 53 ': `"port": ${port} `,
        '53001': String(own),
      };
      const config = Object.entries(values).reduce(
        (filled, [from, to]) => filled.replaceAll(from, to),
        text,
      );
      const kea = new KeaDdns(folder, config);
      try {
        const isAnswered = () => Promise.resolve(ask(`client.${DOMAIN}`, 'DHCID') !== '');
        await kea.requestName(own, `client.${DOMAIN}.`, '192.0.2.99', isAnswered);
        expect(ask(`client.${DOMAIN}`, 'A')).toBe('192.0.2.99');
      } finally {
        await kea.stop();
      }
    },
    TIMEOUT_MS,
  );

  itWith(PYTHON, '-c', 'import dns.update')(
    "what Ansible's nsupdate does: it finds the zone by signed queries, and asks whether records are there",
    () => {
      const { stdout, stderr } = run(PYTHON, ['-c', ANSIBLE_CALLS], { ...facts, DOMAIN });
      expect([stdout.split('\n'), stderr]).toEqual([
        [`${DOMAIN}.`, 'NXRRSET', 'NOERROR', 'NOERROR', ''],
        '',
      ]);
    },
    TIMEOUT_MS,
  );

  /** Runs the commands with the name of the recipe and an address of the test. */
  async function updateAddress(commands: string, address: string): Promise<void> {
    const updated = shell(commands, {
      DYNDNS_SERVER: new URL(facts['ZONEWRIGHT_DNS_URL'] ?? '').host,
      DYNDNS_SSL: 'no',
      ADDRESS_COMMAND: `echo ${address}`,
    });
    expect(updated.status === 0 ? '' : updated.stdout + updated.stderr).toBe('');
    await waitFor(() => ask(`home.${DOMAIN}`, 'A') === address);
  }

  itWithAll(['ddclient', 'dig'])(
    'ddclient: an address that changes, with a key for this one name',
    async () => {
      const [configure = ''] = readRecipe('dyndns', 'ddclient');
      makeKey(keyOf('dyndns', 'ddclient'));
      const commands = rename(configure, 'ddclient');
      await updateAddress(commands, '192.0.2.7');
      await updateAddress(`rm -f ddclient.cache\n${commands}`, '192.0.2.8');
    },
    TIMEOUT_MS,
  );

  itWithAll(['inadyn', 'dig'])(
    'inadyn: the same',
    async () => {
      const [configure = ''] = readRecipe('dyndns', 'inadyn');
      makeKey(keyOf('dyndns', 'inadyn'));
      await updateAddress(rename(configure, 'inadyn'), '192.0.2.9');
    },
    TIMEOUT_MS,
  );
});

/** Calls of community.general 6: lookup of the zone, existence by a prerequisite, then the change. */
const ANSIBLE_CALLS = `
import os, dns.message, dns.name, dns.query, dns.rcode, dns.rdatatype, dns.tsigkeyring, dns.update
host, port = os.environ['ZONEWRIGHT_NAMESERVER'].rsplit(':', 1)
keyring = dns.tsigkeyring.from_text({os.environ['ZONEWRIGHT_ACCESS_KEY']: os.environ['ZONEWRIGHT_SECRET_KEY']})
name = dns.name.from_text('www.' + os.environ['DOMAIN'])
query = dns.message.make_query(name, dns.rdatatype.SOA)
query.use_tsig(keyring=keyring, algorithm='hmac-sha256')
answer = dns.query.udp(query, host, port=int(port), timeout=10)
zone = [rrset.name for rrset in answer.authority if rrset.rdtype == dns.rdatatype.SOA][0].to_text()
print(zone)
def update():
    return dns.update.Update(zone, keyring=keyring, keyalgorithm='hmac-sha256')
def send(message):
    print(dns.rcode.to_text(dns.query.tcp(message, host, port=int(port), timeout=10).rcode()))
def exists():
    message = update()
    message.present('www', 'A')
    send(message)
exists()
add = update()
add.add('www', 300, 'A', '192.0.2.80')
send(add)
exists()
`;
