import { expect, it } from '@jest/globals';
import { OPERATIONS } from '@zonewright/client';
import { readCodeBlocks } from '@zonewright/testkit';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { PROJECT } from './support/running-platform.js';

const NOT_OURS = /^(?:node_modules|dist|coverage|\..+)$/;

function listDocuments(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.test(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listDocuments(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

function readProse(path: string): string {
  return readFileSync(path, 'utf8').replaceAll(/```[\s\S]*?```/g, '');
}

/** Returns the anchors that GitHub generates from headings. */
function anchorsOf(path: string): string[] {
  return [...readProse(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function leadsSomewhere(document: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? document : join(dirname(document), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || !target.endsWith('.md') || anchorsOf(target).includes(anchor);
}

const links = listDocuments(PROJECT).flatMap((document) =>
  [...readProse(document).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => ({ document, link })),
);

it('every link in a document leads to an existing file and heading of the project', () => {
  expect(links.length).toBeGreaterThan(100);
  const dead = links.filter(({ document, link }) => !leadsSomewhere(document, link));
  expect(dead.map(({ document, link }) => `${relative(PROJECT, document)}: ${link}`)).toEqual([]);
});

it('the worked example of a record property is the tested one', () => {
  const guide = readFileSync(join(PROJECT, 'CONTRIBUTING.md'), 'utf8');
  const test = readFileSync(join(PROJECT, 'packages/zones/src/rows/record-flags.test.ts'), 'utf8');
  expect(readCodeBlocks(guide, 'ts').filter((block) => test.includes(block))).toHaveLength(1);
});

it('scripts/write-api-pages.mjs writes every operation of both APIs, with working links', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-pages-'));
  try {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['scripts/write-api-pages.mjs', folder],
      { cwd: PROJECT, encoding: 'utf8' },
    );
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const pages = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(pages).toHaveLength(2);
    const missing = Object.keys(OPERATIONS).filter(
      (id) => !pages.some((page) => page.includes(`<code>${id}</code>`)),
    );
    expect(missing).toEqual([]);
    for (const page of pages) {
      const targets = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
      const dead = [...page.matchAll(/href="#([^"]+)"/g)].filter(([, id]) => !targets.has(id));
      expect(dead.map(([link]) => link)).toEqual([]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 300_000);
