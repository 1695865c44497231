import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sendQuery, useTestDatabase, waitFor } from '@zonewright/testkit';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { authenticate, call } from './support/clients.js';
import { PROJECT, RunningPlatform } from './support/running-platform.js';
import { describeWithSmallDisk, SmallDisk } from './support/small-disk.js';

const MEGABYTE = 1_048_576;
const SERVICES = ['identity-service', 'dns-api'];

describeWithSmallDisk('the disk of the logs is full, under `npm start`', () => {
  const database = useTestDatabase();
  let disk: SmallDisk;
  let platform: RunningPlatform;
  const logOf = (service: string) =>
    readFileSync(join(disk.seenFromOutside, 'data', 'logs', `${service}.log`), 'utf8');

  beforeAll(async () => {
    disk = await SmallDisk.mount(2 * MEGABYTE);
    platform = await RunningPlatform.prepareEmpty();
    const { execPath, execArgv } = disk.launcher;
    await platform.start(
      {
        DATABASE_URL: database.url,
        ZONEWRIGHT_DATA_DIR: join(disk.folder, 'data'),
        RATE_LIMITS: 'false',
      },
      [execPath, ...execArgv, join(PROJECT, 'scripts/start.mjs')],
    );
  }, 120_000);
  afterAll(async () => {
    await platform.remove();
    await disk.unmount();
  });

  it('no service ends, all of them answer, and with free space again each log reports the number of lost lines', async () => {
    const filler = join(disk.seenFromOutside, 'filler');
    const facts = parseEnvironment(join(disk.seenFromOutside, 'data', 'demo.env'));
    const domains = `${facts['ZONEWRIGHT_DNS_URL'] ?? ''}/v1/domains`;
    const tenants = `${facts['ZONEWRIGHT_IDENTITY_URL'] ?? ''}/v2.0/tenants`;
    const token = await authenticate(facts);
    const useAll = async () => {
      for (const url of [domains, tenants]) expect((await call(url, { token })).status).toBe(200);
      expect((await sendQuery(platform.nameserver, 'nothing.invalid', 'A')).rcode).toBe('REFUSED');
    };
    await useAll();
    fill(filler);
    const sizes = SERVICES.map((service) => logOf(service).length);
    // A file may have room in its last page, and each request writes a line of some hundred bytes.
    for (let round = 0; round < 50; round += 1) await useAll();
    for (const [at, service] of SERVICES.entries()) {
      expect(logOf(service).length - sizes[at]!).toBeLessThan(8192);
    }
    expect(platform.output).not.toContain('exited unexpectedly');

    rmSync(filler);
    await useAll();
    for (const service of SERVICES) {
      await waitFor(() => logOf(service).includes('lines of this log were dropped'));
      const lines = logOf(service).trimEnd().split('\n');
      expect(() => lines.map((line) => JSON.parse(line) as unknown)).not.toThrow();
    }
  }, 120_000);
});

/** Uses the last byte of the disk. */
function fill(file: string): void {
  for (const size of [65_536, 1]) {
    try {
      for (;;) writeFileSync(file, 'x'.repeat(size), { flag: 'a' });
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
    }
  }
}

function parseEnvironment(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}
