import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PROJECT } from './support/running-platform.js';

const entry = { '.': { '@zonewright/source': './src/index.ts' } };
/** Valid tree: an API above a core, folders above folders, one of them with an index.ts, and tests of each. */
const IN_ORDER: Readonly<Record<string, string>> = {
  'zones/package.json': JSON.stringify({ exports: entry }),
  'zones/src/index.ts': `export * from './records/record.js'; export * from './history/undo.js';`,
  'zones/src/records/record.ts': `import type { Row } from '../rows/index.js';`,
  'zones/src/rows/index.ts': `export * from './row.js';`,
  'zones/src/rows/row.ts': 'export interface Row { id: string }',
  'zones/src/history/undo.ts': `import '../records/record.js';`,
  'zones/src/history/then/step.ts': '',
  'zones/test/record.test.ts': `import '../src/records/record.js'; import './support/rows.js';`,
  'zones/test/support/rows.ts': `import '@zonewright/zones';`,
  'dns-api/package.json': JSON.stringify({ exports: entry }),
  'dns-api/src/index.ts': `import '@zonewright/zones';`,
  'dns-api/test/face.test.ts': `import '@zonewright/zones'; import '@zonewright/identity-service';`,
  'identity-service/package.json': JSON.stringify({ exports: entry }),
  'identity-service/src/index.ts': '',
};

let tree: string;

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'zonewright-boundaries-'));
  for (const [path, text] of Object.entries(IN_ORDER)) write(path, text);
});
afterEach(() => {
  rmSync(tree, { recursive: true });
});

function write(path: string, text: string): void {
  const file = join(tree, 'packages', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const script = join(PROJECT, 'scripts/boundaries.mjs');
const { check } = (await import(script)) as {
  check: (folder: string) => { readonly problems: readonly string[] };
};

it('accepts a tree that follows the rules, and this one', () => {
  expect(check(tree).problems).toEqual([]);
  expect(check(PROJECT).problems).toEqual([]);
});

it.each([
  'insert into dns.records (id) values (?)',
  'delete from dns.zone_changes where id = ?',
  'update dns.domains as d set serial = ? where d.id = ?',
  'update dns.domains set deleted_at = now()',
  'insert into dns.domains (name) values (?)',
  'truncate dns.disabled_records',
])('refuses a source outside of the commit of zones that has the SQL: %s', (sql) => {
  write('zones/src/write/commit/rows-store.ts', `export const SQL = '${sql}';`);
  expect(check(tree).problems).toEqual([]);
  write('zones/src/history/undo-store.ts', `export const SQL = '${sql}';`);
  expect(check(tree).problems).toEqual([
    expect.stringMatching(/^zones\/src\/history\/undo-store\.ts writes zones/),
  ]);
});

it('refuses a folder that is not in the list of rooms, and a room without a folder', () => {
  const rooms = { zones: { records: '', rows: '', history: '', gone: '' }, 'dns-api': {} };
  mkdirSync(join(tree, 'scripts'));
  writeFileSync(join(tree, 'scripts/rooms.json'), JSON.stringify(rooms));
  expect(check(tree).problems).toEqual([
    'identity-service is not in scripts/rooms.json',
    'zones/history/then is not in scripts/rooms.json',
    'zones/gone in scripts/rooms.json has no sources',
  ]);
});

it('as a command, reports the problems and fails', () => {
  write('dns-api/src/login.ts', `import '@zonewright/identity-service';`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, tree], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([
    1,
    expect.stringMatching(/^boundaries: \d+ imports, 1 problems\n$/),
  ]);
  expect(stderr).toContain('points up or sideways');
});

it.each([
  [
    'a core that imports a face',
    'zones/src/records/up.ts',
    `import '@zonewright/dns-api';`,
    /zones\/src\/records\/up\.ts imports dns-api\/src\/index\.ts, which points up or sideways/,
  ],
  [
    'a face that imports a face',
    'dns-api/src/login.ts',
    `import type { Login } from '@zonewright/identity-service';`,
    /dns-api\/src\/login\.ts imports .* points up or sideways: dns-api may use /,
  ],
  [
    'a room that imports a file beside it',
    'zones/src/records/whole.ts',
    `export * from '../index.js';`,
    /records\/whole\.ts imports zones\/src\/index\.ts, which points up/,
  ],
  [
    'a circle of two files, of types alone',
    'zones/src/rows/row.ts',
    `import type { Row } from './index.js';`,
    /circle: zones\/src\/rows\/index\.ts -> zones\/src\/rows\/row\.ts -> zones\/src\/rows\/index\.ts/,
  ],
  [
    'a circle of folders where no file is in one',
    'zones/src/records/last.ts',
    `export { step } from '../history/then/step.js';`,
    /circle: zones\/src\/history -> zones\/src\/records -> zones\/src\/history/,
  ],
  [
    'an import past the index.ts of a folder',
    'zones/src/history/row.ts',
    `const row = await import('../rows/row.js');`,
    /history\/row\.ts imports zones\/src\/rows\/row\.ts, which passes zones\/src\/rows\/index\.ts/,
  ],
  [
    'a test that passes the index.ts of another package',
    'dns-api/test/deep.test.ts',
    `import { record } from '../../zones/src/records/record.js';`,
    /deep\.test\.ts imports zones\/src\/records\/record\.ts, which passes the index\.ts of zones/,
  ],
  [
    "a test that uses what supports another package's tests",
    'dns-api/test/rows.test.ts',
    `import { rows } from '../../zones/test/support/rows.js';`,
    /rows\.test\.ts imports zones\/test\/support\/rows\.ts, which passes the index\.ts of zones/,
  ],
  [
    'a source that imports a test',
    'zones/src/history/rows.ts',
    `import { rows } from '../../test/support/rows.js';`,
    /history\/rows\.ts imports .*, which makes a source depend on a test/,
  ],
])('refuses %s', (_, path, text, message) => {
  write(path, text);
  expect(check(tree).problems.join('\n')).toMatch(message);
});
