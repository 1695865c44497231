import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PROJECT } from '../support/running-platform.js';

const SERVICES = ['dns-api', 'identity-service', 'migrate', 'ns1-2', 'ns1-1', 'postgres'];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-upgrade-'));
  // Fake programs record their calls: the test checks the order of steps, not what an engine does.
  program('compose', [
    `echo "$*" >> ${folder}/calls`,
    `case $* in *--services) printf '%s\\n' ${SERVICES.join(' ')};; *ps*) shift; echo "$2";; esac`,
  ]);
  program('docker', [
    // Containers are newer than .env.
    `case "$3" in *Created*) date -d tomorrow +%FT%TZ; exit;; esac`,
    `echo "health $4" >> ${folder}/calls`,
    `if [ "$4" = "$SICK" ]; then echo unhealthy; else echo healthy; fi`,
  ]);
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function program(name: string, lines: readonly string[]): void {
  writeFileSync(join(folder, name), ['#!/bin/sh', ...lines, ''].join('\n'));
  chmodSync(join(folder, name), 0o755);
}

function upgrade(args: readonly string[] = [], env: Record<string, string> = {}) {
  const PATH = `${folder}${delimiter}${process.env['PATH'] ?? ''}`;
  const { status, stderr } = spawnSync(join(PROJECT, 'docker/upgrade.sh'), args, {
    encoding: 'utf8',
    env: { PATH, COMPOSE: join(folder, 'compose'), PATIENCE_SECONDS: '0', ...env },
  });
  const calls = existsSync(join(folder, 'calls'))
    ? readFileSync(join(folder, 'calls'), 'utf8')
    : '';
  const telling = calls.split('\n').filter((line) => !/^ps |^config |^$/.test(line));
  return { status, stderr, calls: telling };
}

const renewed = (service: string) => [`up -d --no-deps ${service}`, `health ${service}`];

describe('docker/upgrade.sh', () => {
  it('updates the schema first, then one service after the other, each when the one before is healthy', () => {
    const { status, calls } = upgrade();
    expect(calls).toEqual([
      ...['build', 'run --rm -T secrets'],
      ...[...renewed('postgres'), ...renewed('redis')],
      ...['run --rm -T --no-deps migrate', 'run --rm -T --no-deps bootstrap'],
      ...['identity-service', 'signer', 'dns-api', 'console-service', 'ns1-1', 'ns1-2'].flatMap(
        renewed,
      ),
    ]);
    expect(status).toBe(0);
  });

  it('stops at a nameserver that does not become healthy, and leaves the others unchanged', () => {
    const { status, stderr, calls } = upgrade([], { SICK: 'ns1-1' });
    expect(calls.slice(-2)).toEqual(renewed('ns1-1'));
    expect(stderr).toContain('ns1-1 is not healthy after 0 s');
    expect(status).toBe(1);
  });

  it('restarts only the named services, with the current secrets of .env', () => {
    expect(upgrade(['ns1-2']).calls).toEqual(['run --rm -T secrets', ...renewed('ns1-2')]);
  });
});
