import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT } from '../support/running-platform.js';

interface Sbom {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: { readonly name: string; readonly type: string } };
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly licenses: readonly unknown[];
  }[];
}

const { packageManager } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
  packageManager: string;
};
// If the project is installed, pnpm is in the cache of npx, so this test needs no network.
const hasPnpm =
  spawnSync('npx', ['--yes', '--offline', packageManager, '--version'], { cwd: PROJECT }).status ===
  0;
if (!hasPnpm) process.stderr.write(`SKIPPED (no ${packageManager} in npx's cache): SBOM\n`);

(hasPnpm ? describe : describe.skip)('the bill of materials of each image', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-sbom-'));
  let sboms: Sbom[];
  beforeAll(() => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/sbom.mjs', folder], {
      cwd: PROJECT,
      encoding: 'utf8',
      env: { ...process.env, npm_config_offline: 'true' },
    });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    sboms = readdirSync(folder).map(
      (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Sbom,
    );
  }, 120_000);
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('is CycloneDX 1.6, with one document for each image', () => {
    expect(sboms.map(({ metadata }) => metadata.component.name).toSorted()).toEqual([
      'admin-cli',
      'cli',
      'console-service',
      'dns-api',
      'identity-service',
      'nameserver',
      'signer',
    ]);
    for (const { bomFormat, specVersion, metadata } of sboms) {
      expect({ bomFormat, specVersion }).toEqual({ bomFormat: 'CycloneDX', specVersion: '1.6' });
      expect(metadata.component.type).toBe('application');
    }
  });

  it('names the production packages with version, package URL and licence, and no development packages', () => {
    for (const { components } of sboms) {
      const names = components.map(({ name }) => name);
      const isCommand = names.includes('commander') && names.includes('client');
      expect(names).toEqual(
        expect.arrayContaining(isCommand ? ['terminal', 'yaml'] : ['pino', 'service-kit']),
      );
      expect(names).not.toContain('jest');
      expect(names).not.toContain('typescript');
      for (const { version, purl, licenses } of components) {
        expect(purl).toMatch(/^pkg:npm\//);
        expect(version).not.toBe('');
        expect(licenses.length).toBeGreaterThan(0);
      }
    }
  });
});
