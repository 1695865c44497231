import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PROJECT } from '../support/running-platform.js';

const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8');
const UNIT = 'deploy/nameserver/zonewright-nameserver.service';
const unit = read(UNIT);
const variables = [
  ...unit.matchAll(/^Environment=(\w+)=/gm),
  ...read('deploy/nameserver/nameserver.env').matchAll(/^(\w+)=/gm),
].map(([, name = '']) => name);
const SECRETS = [
  'DATABASE_URL',
  'NAMESERVER_COOKIE_SECRETS',
  'TRANSFER_ENCRYPTION_KEYS',
  'NAMESERVER_SERVICE_ACCESS_KEY',
  'NAMESERVER_SERVICE_SECRET_KEY',
];
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const withSystemd = hasSystemd ? it : it.skip;
if (!hasSystemd)
  process.stderr.write(`SKIPPED (no systemd-analyze): what systemd says of ${UNIT}\n`);

/** Runs a function in a folder with the unit, in which systemd finds the program and its documentation. */
function inFolder<T>(look: (file: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-unit-'));
  try {
    const file = join(folder, 'zonewright-nameserver.service');
    cpSync(join(PROJECT, UNIT), file);
    writeFileSync(file, unit.replace('/usr/bin/node', process.execPath));
    return look(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('deploy/nameserver', () => {
  const documented = read('docs/reference/configuration.md');
  const isSetting = (name: string) => documented.includes(`\`${name.replace(/_FILE$/, '')}\``);

  it('names existing settings, and contains no secret', () => {
    const compose = parse(read('deploy/nameserver/docker-compose.yml')) as {
      services: { nameserver: { environment: Record<string, string> } };
    };
    const { environment } = compose.services.nameserver;
    const all = [...variables, ...Object.keys(environment)];
    expect(all.filter((name) => name !== 'NODE_ENV' && !isSetting(name))).toEqual([]);
    for (const name of SECRETS) {
      expect(variables).toContain(`${name}_FILE`);
      expect(environment).toHaveProperty([`${name}_FILE`]);
      expect(all).not.toContain(name);
    }
  });

  it('has all settings of the nameservers in docker-compose.yml, including the keys for transfers and updates', () => {
    const { 'x-nameserver-environment': ours } = parse(read('docker-compose.yml'), {
      merge: true,
      maxAliasCount: -1,
    }) as { 'x-nameserver-environment': Record<string, string> };
    expect(Object.keys(ours).filter((name) => !variables.includes(name))).toEqual(['LOG_LEVEL']);
  });

  it('the container has the same limits as the others: no privileges, no writable files, limited memory', () => {
    const { services } = parse(read('deploy/nameserver/docker-compose.yml')) as {
      services: Record<string, object>;
    };
    expect(services['nameserver']).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      restart: 'unless-stopped',
    });
    expect(services['nameserver']).toHaveProperty('mem_limit');
  });

  withSystemd('systemd finds nothing wrong with the unit', () => {
    const { status, stdout, stderr } = inFolder((file) =>
      spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' }),
    );
    expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' });
  });

  withSystemd('the unit has few rights: at most 2.0 of 10 by what systemd counts', () => {
    const { status, stdout } = inFolder((file) =>
      spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', file], {
        encoding: 'utf8',
      }),
    );
    expect({ status, sum: stdout.split('\n').at(-2) }).toMatchObject({ status: 0 });
  });
});
