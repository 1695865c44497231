import { afterAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PROJECT } from '../support/running-platform.js';

const folder = mkdtempSync(join(tmpdir(), 'zonewright-pin-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Runs the script with a fake engine that reports a digest for each image. The test checks the resulting settings. */
function pin(digestOf: string) {
  const docker = join(folder, 'docker');
  writeFileSync(docker, `#!/bin/sh\nif [ "$1" = image ]; then shift 4; echo "${digestOf}"; fi\n`);
  chmodSync(docker, 0o755);
  const PATH = `${folder}${delimiter}${process.env['PATH'] ?? ''}`;
  const { status, stdout, stderr } = spawnSync(join(PROJECT, 'docker/pin-images.sh'), {
    encoding: 'utf8',
    env: { PATH },
  });
  return { status, stderr, lines: stdout.split('\n').filter((line) => line !== '') };
}

describe('docker/pin-images.sh', () => {
  it('prints all base images by tag and digest', () => {
    const { status, lines } = pin('registry.example/$1@sha256:0a1b');
    expect(lines).toEqual([
      expect.stringMatching(/^NODE_IMAGE=node:\d+-bookworm-slim@sha256:0a1b$/),
      expect.stringMatching(/^POSTGRES_IMAGE=postgres:\d+@sha256:0a1b$/),
      expect.stringMatching(/^REDIS_IMAGE=redis:\d+@sha256:0a1b$/),
    ]);
    expect(status).toBe(0);
  });

  it('prints only the reason if an image came from no registry', () => {
    const { status, lines, stderr } = pin('');
    expect([status, lines]).toEqual([1, []]);
    expect(stderr).toMatch(/node:\S+ has no digest/);
  });
});
