import { expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../../', import.meta.url);

const DOCUMENTS = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(new URL('docs/', ROOT), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`),
  'deploy/kubernetes/README.md',
];

it.each(DOCUMENTS)('style 2.13: every link of %s leads to a file', (path) => {
  const targets = [...read(path).matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)].map(
    ([, target = '']) => target,
  );
  const missing = targets.filter((target) => !existsSync(new URL(target, new URL(path, ROOT))));
  expect(missing).toEqual([]);
});

it('style 2.13: every test that docs/spec-decisions.md names is there', () => {
  const lastCells = [...read('docs/spec-decisions.md').matchAll(/\|([^|\n]*)\|$/gm)];
  const tests = lastCells.flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => `packages/${name}.test.ts`),
  );
  expect(tests.filter((test) => !existsSync(new URL(test, ROOT)))).toEqual([]);
});

function read(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}
