// Measures the sizes of the sources (`packages/*/src` without tests and generated files) that a reader notices: lines,
// files, short files, long functions, full folders. Usage: `node scripts/sizes.mjs [--list] [--check | --lower]`.
// --list names each of them, --check fails above the limits of `sizes.json`, and --lower writes today's counts there if
// they are lower. The limits only fall.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '..');
const CEILINGS = join(import.meta.dirname, 'sizes.json');
const SHORT_FILE = 40;
const FULL_FOLDER = 20;
const MOST_FOLDERS = 14;
/** The limits are in lines; a React component may be longer because it also contains its markup. */
const LONG_FUNCTION = 80;
const LONG_COMPONENT = 150;

const files = readdirSync(join(ROOT, 'packages')).flatMap((name) =>
  list(join(ROOT, 'packages', name, 'src')),
);

function list(folder) {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'generated' ? [] : list(path);
    return /(?<!\.test)\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** Returns the named functions and methods that exceed their limit, as [name, lines]. */
function longFunctions(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    const body = ts.isFunctionLike(node) ? node.body : undefined;
    if (body !== undefined) {
      const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line;
      const lines = lineOf(node.getEnd()) - lineOf(node.getStart(source)) + 1;
      const name = node.name?.getText(source) ?? node.parent.name?.getText(source) ?? 'function';
      const isComponent = path.endsWith('.tsx') && /^[A-Z]/.test(name);
      if (lines > (isComponent ? LONG_COMPONENT : LONG_FUNCTION)) found.push([name, lines]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Node 20 does not have Object.groupBy. */
function groupByPackage(names) {
  const groups = {};
  for (const name of names) (groups[name.split('/')[1]] ??= []).push(name);
  return groups;
}

const found = {
  lines: [],
  files: [],
  'short files': [],
  'long functions': [],
  'full folders': [],
  'packages of many folders': [],
};
const folders = new Map();
let lines = 0;
for (const path of files) {
  const text = readFileSync(path, 'utf8');
  const count = text.split('\n').length - 1;
  const name = relative(ROOT, path);
  lines += count;
  if (count <= SHORT_FILE) found['short files'].push(`${name}: ${count} lines`);
  for (const [each, length] of longFunctions(path, text))
    found['long functions'].push(`${name}: ${each} has ${length} lines`);
  folders.set(dirname(name), (folders.get(dirname(name)) ?? 0) + 1);
}
for (const [folder, count] of folders)
  if (count > FULL_FOLDER) found['full folders'].push(`${folder}: ${count} files`);
for (const [name, all] of Object.entries(groupByPackage(folders.keys())))
  if (all.length > MOST_FOLDERS)
    found['packages of many folders'].push(`${name}: ${all.length} folders`);

const counts = Object.fromEntries(Object.entries(found).map(([name, all]) => [name, all.length]));
Object.assign(counts, { lines, files: files.length });

if (process.argv.includes('--list'))
  for (const all of Object.values(found)) all.forEach((each) => console.log(each));
console.log(
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', '),
);
const ceilings = JSON.parse(readFileSync(CEILINGS, 'utf8'));
if (process.argv.includes('--check')) {
  for (const [name, ceiling] of Object.entries(ceilings)) {
    if (counts[name] <= ceiling) continue;
    console.error(
      `${counts[name]} ${name}, and at most ${ceiling} are allowed: node scripts/sizes.mjs --list names them.`,
    );
    process.exitCode = 1;
  }
}
if (process.argv.includes('--lower')) {
  for (const name of Object.keys(ceilings)) ceilings[name] = Math.min(ceilings[name], counts[name]);
  writeFileSync(CEILINGS, `${JSON.stringify(ceilings, null, 2)}\n`);
}
