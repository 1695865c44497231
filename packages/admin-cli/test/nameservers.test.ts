import { describe, expect, it } from '@jest/globals';
import { CHANNELS, FEED_START, NotificationListener, readFeed } from '@zonewright/database';
import { waitFor } from '@zonewright/testkit';
import { useInstallation } from './run-command.js';

const installation = useInstallation();

/** Returns the servers and their domain as a nameserver reads them. */
async function readServers() {
  return await readFeed(installation.db, FEED_START, ({ servers }) => Promise.resolve(servers));
}

describe('nameserver', () => {
  it('add puts a server at the end of the list, under the nameserver domain', async () => {
    const server = await installation.json(
      'nameserver add NS1-7 --ipv4 192.0.2.7 --ipv6 2001:db8::7 --id 5b0e2f0a-4c0e-4a66-8a3c-0d9a7c1f1f07',
    );
    expect(server).toMatchObject({
      id: '5b0e2f0a-4c0e-4a66-8a3c-0d9a7c1f1f07',
      name: 'ns1-7.dns.test.',
      position: 7,
      ipv4: '192.0.2.7',
      ipv6: '2001:db8::7',
      updatedAt: null,
    });
  });

  it('add accepts a full name in another domain', async () => {
    expect(await installation.json('nameserver add ns.example.net')).toMatchObject({
      name: 'ns.example.net.',
      ipv4: null,
    });
  });

  it('set changes the name and addresses and keeps the rest', async () => {
    expect(await installation.json('nameserver set ns1-7 --ipv4 198.51.100.7')).toMatchObject({
      ipv4: '198.51.100.7',
      ipv6: '2001:db8::7',
    });
    expect(
      await installation.json('nameserver set ns1-7.dns.test --name ns2-7 --no-ipv6'),
    ).toMatchObject({ name: 'ns2-7.dns.test.', ipv4: '198.51.100.7', ipv6: null, position: 7 });
  });

  it('DNS s4, Get Servers: a changed server has a time of its update', async () => {
    const servers =
      await installation.json<{ name: string; updatedAt: string | null }[]>('nameserver list');
    expect(servers.find(({ name }) => name === 'ns2-7.dns.test.')!.updatedAt).not.toBeNull();
  });

  it('remove deletes a server; nameservers read this from the feed with a higher serial', async () => {
    const before = await readServers();
    await installation.run('nameserver remove ns2-7');
    await installation.run('nameserver remove ns.example.net.');
    const after = await readServers();
    expect(after.servers.map(({ name }) => name)).toEqual(
      [1, 2, 3, 4, 5, 6].map((n) => `ns1-${n}.dns.test.`),
    );
    expect(after.domain!.serial).toBeGreaterThan(before.domain!.serial);
  });

  it.each([
    ['nameserver add ns1-1', 4, 'a nameserver named "ns1-1.dns.test." already exists'],
    ['nameserver set ns1-1 --name ns1-2', 4, 'a nameserver named "ns1-2.dns.test." already exists'],
    ['nameserver set ns1-9 --ipv4 192.0.2.9', 3, 'there is no nameserver "ns1-9"'],
    ['nameserver add ns1-9 --ipv4 2001:db8::9', 2, '"2001:db8::9" is not an IPv4 address'],
    ['nameserver add ns1-9 --ipv6 fe80::1%eth0', 2, '"fe80::1%eth0" is not an IPv6 address'],
    ['nameserver add ns1-9 --id 9', 2, 'the id "9" is not a UUID'],
  ])('%s is refused with one sentence', async (command, exitCode, sentence) => {
    expect(await installation.run(command)).toEqual({
      exitCode,
      stdout: '',
      stderr: `zonewright-admin: ${sentence}\n`,
    });
  });

  it('refuses an invalid name', async () => {
    const { exitCode, stderr } = await installation.run('nameserver add -- -ns.dns.test');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('"-ns.dns.test."');
  });

  it('remove refuses the last server, because a zone needs a nameserver', async () => {
    for (const n of [2, 3, 4, 5, 6]) await installation.run(`nameserver remove ns1-${n}`);
    const { exitCode, stderr } = await installation.run('nameserver remove ns1-1');
    expect(exitCode).toBe(4);
    expect(stderr).toContain('"ns1-1.dns.test." is the last nameserver');
  });
});

describe('nameserver set-domain', () => {
  it('changes the given values, increases the serial and wakes the nameservers', async () => {
    const payloads: (string | undefined)[] = [];
    const listener = new NotificationListener({
      url: installation.env['DATABASE_URL']!,
      applicationName: 'zonewright-admin-test',
      channel: CHANNELS.dns,
      onNotify: (payload) => payloads.push(payload),
      onError: () => undefined,
    });
    listener.start();
    try {
      // The listener's first report is about its connection.
      await waitFor(() => payloads.length === 1);
      const before = (await readServers()).domain!;
      await installation.run('nameserver set-domain --email dns@example.net');
      await waitFor(() => payloads.length === 2);
      const after = (await readServers()).domain!;
      expect(after).toMatchObject({ name: 'dns.test.', email: 'dns@example.net' });
      expect(after.serial).toBeGreaterThan(before.serial);
      expect(BigInt(after.changedIn)).toBeGreaterThan(BigInt(before.changedIn));
    } finally {
      await listener.stop();
    }
  });

  it('refuses a name at or above a domain that a tenant has', async () => {
    await installation.select(
      `insert into dns.domains (tenant_id, name, email, ttl, serial) values ('1', 'sub.own.taken.test.', 'a@b.test', 3600, 1)`,
    );
    for (const name of ['taken.test', 'own.taken.test']) {
      const { exitCode, stderr } = await installation.run(`nameserver set-domain --name ${name}`);
      expect(exitCode).toBe(4);
      expect(stderr).toContain('a tenant already has the domain "sub.own.taken.test."');
    }
    expect((await installation.run('nameserver set-domain --name untaken.test')).exitCode).toBe(0);
    expect((await installation.run('nameserver set-domain --name dns.test')).exitCode).toBe(0);
  });

  it('refuses an invalid mailbox', async () => {
    expect((await installation.run('nameserver set-domain --email nobody')).exitCode).toBe(2);
  });

  it('show-domain shows the domain', async () => {
    expect(await installation.json('nameserver show-domain')).toMatchObject({
      name: 'dns.test.',
      email: 'dns@example.net',
    });
  });
});

describe('nameserver set-soa', () => {
  it('changes the given times, and creates a new version of the apex data', async () => {
    const latest = async () => {
      const [row] = await installation.select<{ version: number }>(
        'select max(version) as version from dns.apex_versions',
      );
      return row!.version;
    };
    const before = await latest();
    expect(await installation.json('nameserver set-soa --minimum 600 --domain-ttl 60')).toEqual({
      refresh: 14_400,
      retry: 3_600,
      expire: 1_209_600,
      minimum: 600,
      domainTtl: 60,
    });
    expect(await installation.json('nameserver show-soa')).toMatchObject({ minimum: 600 });
    expect(await latest()).toBe(before + 1);
  });

  it.each(['-1', '2147483648', '1h'])('refuses %s', async (seconds) => {
    expect((await installation.run(`nameserver set-soa --retry=${seconds}`)).exitCode).toBe(2);
  });
});
