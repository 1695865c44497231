import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../../../scripts/install.mjs', import.meta.url));

describe('scripts/install.mjs, on a checkout that was never built', () => {
  let folder: string;

  // A checkout whose compiler talks as it does when something is wrong.
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'zonewright-install-'));
    mkdirSync(join(folder, 'scripts'));
    mkdirSync(join(folder, 'packages'));
    mkdirSync(join(folder, 'node_modules'));
    cpSync(SCRIPT, join(folder, 'scripts', 'install.mjs'));
    writeFileSync(join(folder, 'node_modules', '.zonewright-installed'), '');
    writeFileSync(join(folder, 'scripts', 'compile.mjs'), 'console.log("from the compiler")');
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('standard output is left to the command that is run', () => {
    const program =
      'const { build, run } = await import("./scripts/install.mjs"); build(); run(process.execPath, ["-p", "7"]);';
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stdout).toBe('7\n');
    expect(stderr).toContain('Compiling TypeScript');
    expect(stderr).toContain('from the compiler');
  });
});
