import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { authenticate, insist } from './support/clients.js';
import { PROJECT, RunningPlatform } from './support/running-platform.js';

interface Report {
  readonly level: string;
  readonly findings: { area: string; level: string; finding: string }[];
}

describe('doctor with the services of npm start', () => {
  let platform: RunningPlatform;

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start();
  }, 120_000);
  afterAll(async () => {
    await platform.remove();
  });

  function doctor(): { status: number | null; report: Report } {
    const env = readFileSync(join(platform.dataFolder, 'operator.env'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
    const program = join(PROJECT, 'packages/admin-cli/dist/main.js');
    const { status, stdout } = spawnSync(process.execPath, [program, 'doctor', '--json'], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], ...(Object.fromEntries(env) as Record<string, string>) },
    });
    return { status, report: JSON.parse(stdout) as Report };
  }

  it('finds no faults before and after a write', async () => {
    // The nameserver reports its status a moment after it answers.
    await waitFor(() => doctor().status === 0, 20_000);
    const facts = await platform.readDemoEnvironment();
    const token = await authenticate(facts);
    await insist(`${facts['ZONEWRIGHT_DNS_URL'] ?? ''}/v1/domains`, {
      method: 'POST',
      token,
      body: { name: 'healthy.example.', email: 'hostmaster@healthy.example' },
    });
    const { status, report } = doctor();
    expect(report.findings.filter(({ level }) => level !== 'ok')).toEqual([]);
    expect(status).toBe(0);
    expect(report.findings.map(({ finding }) => finding)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^ns1-1 at 127\.0\.0\.1:\d+ is up to date and answers/),
        expect.stringMatching(/^Identity in US-West responds at /),
        expect.stringMatching(/^DNS in US-West responds at /),
        expect.stringMatching(/^The access key \w+ of dns-api can log in\.$/),
      ]),
    );
  }, 60_000);

  it('names the service that has died', () => {
    // The launcher restarts dns-api after some seconds, and doctor may take as long on a busy machine.
    const reportAfterDeath = () => {
      platform.kill('dns-api');
      return doctor();
    };
    let { status, report } = reportAfterDeath();
    if (status === 0) ({ status, report } = reportAfterDeath());
    expect(status).not.toBe(0);
    expect(report.findings.filter(({ level }) => level !== 'ok')).toEqual(
      ['DNS', 'designate'].map((service) =>
        expect.objectContaining({
          area: 'catalog',
          finding: expect.stringMatching(
            new RegExp(`^Nothing responds at .+ the endpoint of ${service} `),
          ) as unknown,
        }),
      ),
    );
  }, 60_000);
});
