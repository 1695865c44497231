import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMPILER = `import { mkdirSync } from 'node:fs';
mkdirSync('packages/one/dist', { recursive: true });
console.log('from the compiler');`;
const SCRIPT = fileURLToPath(new URL('../../../scripts/install.mjs', import.meta.url));

describe('scripts/install.mjs, in a checkout that was never built', () => {
  let folder: string;

  // Checkout with a compiler that prints an error.
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'zonewright-install-'));
    mkdirSync(join(folder, 'scripts'));
    mkdirSync(join(folder, 'packages', 'one', 'src'), { recursive: true });
    mkdirSync(join(folder, 'node_modules'));
    cpSync(SCRIPT, join(folder, 'scripts', 'install.mjs'));
    writeFileSync(join(folder, 'node_modules', '.zonewright-installed'), '');
    writeFileSync(join(folder, 'scripts', 'compile.mjs'), COMPILER);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('standard output contains only that of the executed command', () => {
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

  it('compiles again if something is new or the output is missing', () => {
    const compiles = () => {
      const program = 'const { build } = await import("./scripts/install.mjs"); build();';
      const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
        cwd: folder,
        encoding: 'utf8',
      });
      return stderr.includes('from the compiler');
    };
    compiles();
    expect(compiles()).toBe(false);
    writeFileSync(join(folder, 'packages', 'one', 'src', 'new.ts'), '');
    expect([compiles(), compiles()]).toEqual([true, false]);
    rmSync(join(folder, 'packages', 'one', 'dist'), { recursive: true });
    expect([compiles(), compiles()]).toEqual([true, false]);
  });
});
