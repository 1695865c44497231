import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendQuery, readCodeBlocks, readSection } from '@zonewright/testkit';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ExternalDns } from '../support/external-dns.js';
import { PROJECT, RunningPlatform } from '../support/running-platform.js';
import { Person, PROGRAM } from './command.js';

const DOMAIN = 'recipes.example';
const GUIDE = join(PROJECT, 'docs/guide');
/** Pages of the guide without commands. */
const NO_COMMANDS = ['README.md', 'console.md'];
const EXPORTS = join(PROJECT, 'packages/e2e/test/command-line/exports');
const PAGES = readdirSync(GUIDE).filter((page) => !NO_COMMANDS.includes(page));

function endpoint(name: string, recordType: string, ...targets: string[]) {
  return { dnsName: `${name}.${DOMAIN}`, recordType, targets };
}

describe('docs/guide', () => {
  let platform: RunningPlatform;

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start();
  }, 150_000);
  afterAll(async () => {
    await platform.remove();
  });

  it.each(PAGES)(
    '%s: every command has the described effect',
    async (page) => {
      const commands = readCodeBlocks(readFileSync(join(GUIDE, page), 'utf8'), 'sh').join('\n');
      expect(commands).toContain('zonewright ');
      const person = await Person.create();
      try {
        mkdirSync(join(person.home, '.zonewright'));
        symlinkSync(
          join(platform.dataFolder, 'demo.env'),
          join(person.home, '.zonewright/demo.env'),
        );
        await person.type('zonewright login --env-file .zonewright/demo.env');
        // Any command that fails ends the shell with its exit code, which is then printed in brackets.
        expect(await person.type(`set -e\n${commands}`)).not.toMatch(/^\[\d+\]$/m);
      } finally {
        await person.leave();
      }
    },
    300_000,
  );

  it.each([
    ['cloudflare', 5],
    ['godaddy', 4],
    ['route53', 3],
  ])(
    'import.md: the export of %s gives %d records',
    async (provider, count) => {
      const person = await Person.create();
      try {
        await person.type(`zonewright login --env-file "${join(platform.dataFolder, 'demo.env')}"`);
        const script = `set -e
        zonewright domain import '${join(EXPORTS, provider)}' --domain ${provider}.example
        zonewright record list ${provider}.example --json`;
        const screen = await person.type(script);
        expect(screen).toContain(`Domain ${provider}.example. created with ${count} records`);
        expect(screen).not.toMatch(/"ttl": 1,/);
        if (provider === 'route53') expect(screen).toContain('"*.route53.example."');
      } finally {
        await person.leave();
      }
    },
    120_000,
  );

  it('README.md: creates the first domain, and a nameserver answers for it', async () => {
    const [readme = ''] = readFileSync(join(PROJECT, 'README.md'), 'utf8').split(
      '\n## Where to go',
    );
    const [start, ...blocks] = readCodeBlocks(readme, 'sh');
    expect(start?.trim()).toBe('npm start');
    const person = await Person.create();
    symlinkSync(platform.dataFolder, join(person.home, '.zonewright'));
    try {
      for (const commands of blocks) {
        const [, name] = /^dig @127\.0\.0\.1 -p 5300 (\S+) A$/m.exec(commands) ?? [];
        if (name === undefined) {
          const screen = await person.type(
            `set -e\n${commands.replaceAll('./zonewright', 'zonewright')}`,
          );
          expect(screen).not.toMatch(/^\[\d+\]$/m);
        } else {
          expect((await sendQuery(platform.nameserver, name, 'A')).answers).toHaveLength(1);
        }
      }
      expect(blocks.join('')).toContain('dig @127.0.0.1');
    } finally {
      await person.leave();
    }
  }, 120_000);

  it('docs/recipes/tools.md, external-dns: names are added, changed and removed, and other records beside them stay', async () => {
    const recipe = readFileSync(join(PROJECT, 'docs/recipes/tools.md'), 'utf8');
    const [, create = '', serve = ''] = readCodeBlocks(
      readSection(recipe, 'external-dns'),
      'sh',
    ).map((each) => each.replaceAll('$DOMAIN', DOMAIN));
    const person = await Person.create();
    await person.type(`zonewright login --env-file "${join(platform.dataFolder, 'demo.env')}"`);
    await person.type(`zonewright domain add ${DOMAIN}`);
    await person.type('zonewright domain add other.example');
    expect(await person.type(create)).toMatch(/Access key \w+ created in/);
    const webhook = await ExternalDns.start(PROGRAM, serve, person.home);
    try {
      const before = await webhook.records();
      const shop = { ...endpoint('shop', 'A', '192.0.2.10', '192.0.2.11'), recordTTL: 60 };
      const docs = endpoint('docs', 'CNAME', `shop.${DOMAIN}`);
      const owner = endpoint('a-shop', 'TXT', '"heritage=external-dns,external-dns/owner=one"');
      const created = [shop, docs, owner, endpoint('mail', 'MX', `10 shop.${DOMAIN}`)];
      expect(await webhook.negotiate()).toEqual({ filters: [DOMAIN] });
      const adjusted = await webhook.adjust([{ ...docs, providerSpecific: [{ name: 'x' }] }]);
      expect(adjusted).toEqual([docs]);
      expect(await webhook.apply({ create: created })).toBe(204);
      // The interrupted request is repeated.
      expect(await webhook.apply({ create: created })).toBe(204);
      const there = await webhook.records();
      expect(there).toEqual(expect.arrayContaining(created));
      expect(there).toHaveLength(before.length + created.length);

      await person.type(`zonewright record add ${DOMAIN} shop A 192.0.2.99`);
      const moved = { ...endpoint('shop', 'A', '192.0.2.12'), recordTTL: 60 };
      const alias = endpoint('docs', 'A', '192.0.2.13');
      const changes = { UpdateOld: [shop], UpdateNew: [moved], Delete: [docs], Create: [alias] };
      expect(await webhook.apply(changes)).toBe(204);
      const changed = await webhook.records();
      expect(changed).toContainEqual(alias);
      const { targets } = changed.find(({ dnsName }) => dnsName === shop.dnsName) ?? shop;
      expect(targets.toSorted()).toEqual(['192.0.2.12', '192.0.2.99']);

      const foreign = { ...moved, dnsName: 'www.other.example' };
      expect(await webhook.apply({ create: [foreign] })).toBe(400);
      expect((await webhook.post('/records', {}, 'text/plain')).status).toBe(400);
      expect(await webhook.apply({ delete: await webhook.records() })).toBe(204);
      expect(await webhook.records()).toEqual([]);
    } finally {
      expect(await webhook.stop()).toBe(0);
      await person.leave();
    }
  }, 300_000);
});
