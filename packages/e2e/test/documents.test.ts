import { expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

/** As GitHub makes anchors of headings. */
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

it('every link in a document leads to a file of the project, and to a heading that it has', () => {
  expect(links.length).toBeGreaterThan(100);
  const dead = links.filter(({ document, link }) => !leadsSomewhere(document, link));
  expect(dead.map(({ document, link }) => `${relative(PROJECT, document)}: ${link}`)).toEqual([]);
});
