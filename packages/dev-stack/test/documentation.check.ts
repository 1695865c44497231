import { describe, expect, it } from '@jest/globals';
import { readItems, readSection } from '@zonewright/testkit';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';

const ROOT = new URL('../../../', import.meta.url);

const DOCUMENTS = [
  ...list('').filter((path) => !path.includes('/')),
  ...list('docs/'),
  ...list('packages/').filter((path) => /^packages\/[^/]+\/[^/]+$/.test(path)),
  'deploy/kubernetes/README.md',
];
/** Names in documents that are examples. */
const EXAMPLES = /rfcNNNN|overlays\/mine/;
const SETTING =
  /\b(?:IDENTITY|DNS_API|NAMESERVER|DOCTOR|REDIS|DATABASE|ENCRYPTION)_[A-Z_]*[A-Z]\b/g;

describe.each(DOCUMENTS)('%s', (path) => {
  const text = read(path);

  it('has links only to existing files and headings', () => {
    const targets = all(text, /\]\((?!\w+:)([^)\s]+)\)/g);
    expect(targets.filter((target) => !leadsSomewhere(path, target))).toEqual([]);
  });

  it('has no marks of a merge conflict', () => {
    expect(text).not.toMatch(/^(<<<<<<<|>>>>>>>) /m);
  });

  it('names existing files and folders', () => {
    const paths = all(text, /\b((?:packages|scripts|bench|docker|deploy|docs)\/[\w./-]*\w)/g);
    const missing = paths.filter((named) => !exists(named) && !EXAMPLES.test(named));
    expect(missing.filter((named) => !existsSync(new URL(named, new URL(path, ROOT))))).toEqual([]);
  });

  it('names existing scripts of package.json', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = all(text, /npm run (?:--silent )?([\w:-]+)/g);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('names existing settings', () => {
    const settings = new Set(read('docs/reference/configuration.md').match(SETTING));
    // Each variable can also be given as a file.
    const named = (text.match(SETTING) ?? []).map((name) => name.replace(/_FILE$/, ''));
    const isThere = (name: string) => settings.has(name) || settings.has(`${name}_FILE`);
    expect(named.filter((name) => !isThere(name))).toEqual([]);
    const ofBenches = list('bench/', '.mjs').map(read).join('');
    expect(all(text, /\b(BENCH_\w+)/g).filter((name) => !ofBenches.includes(name))).toEqual([]);
  });
});

describe('docs/design/decisions', () => {
  const pages = list('docs/design/decisions/').filter((path) => !path.endsWith('README.md'));
  // Links to files are checked above, for all documents.
  const ids = pages.flatMap((path) =>
    all(read(path), /^\[(D-[A-Z0-9]+-\d+)\]\(\S+\.(?:test|check)\.ts\) \S/gm),
  );

  it('every paragraph is a rule with a link to its test', () => {
    const paragraphs = pages.flatMap((path) => read(path).split('\n\n'));
    const rules = paragraphs.filter((paragraph) => !paragraph.startsWith('#'));
    expect(rules).toHaveLength(ids.length);
    expect(ids.length).toBeGreaterThan(250);
  });

  it('every rule has a unique id, and each cited id has a rule or a page', () => {
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    const known = new Set([...ids, ...ids.map((id) => id.replace(/-\d+$/, ''))]);
    const cited = list('packages/', '.ts').flatMap((path) =>
      all(read(path), /\b(D-(?:REQ|ID|ACC|REC|ZONE|V2|NS|OPS)(?:-\d+)?)\b/g),
    );
    expect(cited.length).toBeGreaterThan(300);
    expect(cited.filter((id) => !known.has(id))).toEqual([]);
  });
});

it('every fault of docs/design/faults.md names existing tests', () => {
  const faults = readItems(readSection(read('docs/design/faults.md'), 'Guarantees'));
  expect(faults.length).toBeGreaterThan(20);
  const unproven = faults.filter((item) => {
    const tests = all(/\(([^()]*)\)$/.exec(item)?.[1] ?? '', /`([^`]+)`/g);
    return tests.length === 0 || tests.some((name) => !exists(`packages/${name}`) && !exists(name));
  });
  expect(unproven).toEqual([]);
});

function leadsSomewhere(from: string, target: string): boolean {
  const url = new URL(target, new URL(from, ROOT));
  const fragment = url.hash.slice(1);
  url.hash = '';
  if (!existsSync(url)) return false;
  return fragment === '' || statSync(url).isDirectory() || anchorsOf(url).has(fragment);
}

/** Returns the anchors that code hosts generate from headings. */
function anchorsOf(document: URL): Set<string> {
  const headings = all(readFileSync(document, 'utf8'), /^#+ (.+)$/gm);
  return new Set(
    headings.map((heading) =>
      heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function exists(path: string): boolean {
  return ['', '.ts', '.test.ts', '.check.ts'].some((ending) =>
    existsSync(new URL(path + ending, ROOT)),
  );
}

/** Lists files, except for installed ones, which contain circular links. */
function list(folder: string, ending = '.md'): string[] {
  const entries = readdirSync(new URL(folder, ROOT), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = folder + entry.name;
    if (entry.isFile()) return path.endsWith(ending) ? [path] : [];
    const isOurs = folder !== '' && entry.isDirectory() && entry.name !== 'node_modules';
    return isOurs ? list(`${path}/`, ending) : [];
  });
}

/** Returns the text of the only group of `pattern` for each match. */
function all(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, group = '']) => group);
}

function read(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}
