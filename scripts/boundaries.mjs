// Allowed directions of imports, including types and tests (docs/adr/README.md, 0023): down the list of packages, never
// from outside into a folder, without cycles, and through index files. rooms.json lists the folders of each package.
// `node scripts/boundaries.mjs [FOLDER]` checks a tree.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

const LIBRARIES = ['dns-records', 'service-kit', 'database', 'http-api'];
const CORES = ['accounts', 'zones'];
const FACES = [
  'identity-service',
  'dns-api',
  'signer',
  'nameserver',
  'admin-cli',
  'console-service',
];

/** Packages that each package may use. Tests may use all of them. */
const MAY_IMPORT = {
  'dns-records': [],
  'service-kit': [],
  database: ['service-kit'],
  'http-api': ['service-kit'],
  accounts: ['dns-records', 'service-kit', 'database'],
  zones: ['dns-records', 'service-kit', 'database'],
  'identity-service': ['service-kit', 'database', 'http-api', 'accounts'],
  'dns-api': [...LIBRARIES, 'zones'],
  signer: ['dns-records', 'service-kit', 'database', 'zones'],
  nameserver: ['dns-records', 'service-kit', 'database', 'zones'],
  // These use the services only over HTTP.
  client: [],
  console: ['client'],
  'console-service': ['service-kit', 'http-api', 'client'],
  terminal: [],
  cli: ['client', 'terminal'],
  'admin-cli': [...LIBRARIES, ...CORES, 'terminal'],
  'dev-stack': [...LIBRARIES, ...CORES, ...FACES],
  testkit: ['dns-records', 'service-kit', 'database'],
};

const packageOf = (file) => file.split('/')[0];
const isTest = (file) => file.split('/')[1] !== 'src' || file.endsWith('.test.ts');
const isWithin = (path, folder) => path.startsWith(`${folder}/`);

/** Lists every import of one file by another, as paths below `packages`. */
function listImports(packages) {
  const files = listFiles(packages, '').filter((path) => /\.tsx?$/.test(path));
  const known = new Set(files);
  return files.flatMap((from) => {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(packages, from), 'utf8'));
    return importedFiles
      .map(({ fileName: name }) => ({ from, name, to: findFile(packages, from, name) }))
      .filter(({ to }) => known.has(to));
  });
}

function listFiles(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    return ['node_modules', 'dist'].includes(entry.name) ? [] : listFiles(root, path);
  });
}

function findFile(packages, from, name) {
  if (name.startsWith('.')) {
    const path = relative(packages, resolve(packages, dirname(from), name)).replace(/\.js$/, '.ts');
    return existsSync(join(packages, path)) ? path : path.replace(/\.ts$/, '.tsx');
  }
  const [, owner, entry = ''] = /^@zonewright\/([^/]+)(\/.+)?$/.exec(name) ?? [];
  if (owner === undefined) return undefined;
  const manifest = JSON.parse(readFileSync(join(packages, owner, 'package.json'), 'utf8'));
  return join(owner, manifest.exports?.[`.${entry}`]?.['@zonewright/source'] ?? '');
}

/** Returns the problem of a single import. */
function judge(packages, { from, name, to }) {
  const [importer, imported] = [packageOf(from), packageOf(to)];
  if (importer !== imported) {
    if (name.startsWith('.')) return `passes the index.ts of ${imported}`;
    const allowed = MAY_IMPORT[importer] ?? [];
    if (isTest(from) || allowed.includes(imported)) return undefined;
    return `points up or sideways: ${importer} may use ${allowed.join(', ') || 'no other package'}`;
  }
  if (isTest(to) && !isTest(from)) return 'makes a source depend on a test';
  if (dirname(from) !== dirname(to) && isWithin(from, dirname(to))) {
    return 'points up: a folder does not know the files beside it';
  }
  return findPassedIndex(packages, from, to);
}

function findPassedIndex(packages, from, to) {
  // The index of the package itself is exempt, since its own tests import single files.
  for (let folder = dirname(to); folder.split('/').length > 2; folder = dirname(folder)) {
    const index = join(folder, 'index.ts');
    const isPassed = to !== index && !isWithin(from, folder) && existsSync(join(packages, index));
    if (isPassed) return `passes ${index}`;
  }
  return undefined;
}

/**
 * Reduces imports within a package to edges between siblings: the names of both files in their common folder. A cycle
 * of files is also a cycle of siblings, so one search finds cycles of files and of folders.
 */
function drawArrows(imports) {
  const arrows = new Map();
  for (const { from, to } of imports) {
    const [steps, others] = [from.split('/'), to.split('/')];
    const depth = steps.findIndex((step, index) => step !== others[index]);
    if (depth < 1) continue;
    const [tail, head] = [steps, others].map((path) => path.slice(0, depth + 1).join('/'));
    if (!arrows.has(tail)) arrows.set(tail, new Map());
    if (!arrows.get(tail).has(head)) arrows.get(tail).set(head, `${from} imports ${to}`);
  }
  return arrows;
}

function findCircles(arrows) {
  const circles = [];
  const finished = new Set();
  const way = [];
  const follow = (node) => {
    if (finished.has(node)) return;
    if (way.includes(node)) {
      circles.push([...way.slice(way.indexOf(node)), node]);
      return;
    }
    way.push(node);
    for (const next of arrows.get(node)?.keys() ?? []) follow(next);
    way.pop();
    finished.add(node);
  };
  for (const node of arrows.keys()) follow(node);
  return circles.map((circle) => {
    const examples = circle.slice(1).map((node, index) => arrows.get(circle[index]).get(node));
    return `circle: ${circle.join(' -> ')}\n  ${examples.join('\n  ')}`;
  });
}

/** SQL that writes zones, their records or the journal. */
const WRITING_SQL =
  /\b(insert into|delete from|update|truncate)\s+dns\.(domains|records|disabled_records|zone_changes)\b/i;
/** The only folder with such SQL. */
const WRITER = 'zones/src/write/commit/';

/** Finds sources with writing SQL outside the writer of zones. Migrations and tests are exempt. */
function findForeignWriters(packages) {
  const sources = listFiles(packages, '').filter(
    (path) =>
      path.endsWith('.ts') && !isTest(path) && !/^(testkit|database\/src\/migrations)\//.test(path),
  );
  return sources
    .filter((path) => !path.startsWith(WRITER))
    .filter((path) => WRITING_SQL.test(readFileSync(join(packages, path), 'utf8')))
    .map(
      (path) => `${path} writes zones, records or the journal, which zones/src/write/commit does`,
    );
}

/** Finds source folders that are not in rooms.json, and entries without a folder. Generated sources are not listed. */
function findOtherRooms(folder, packages) {
  const list = join(folder, 'scripts/rooms.json');
  if (!existsSync(list)) return [];
  const listed = Object.entries(JSON.parse(readFileSync(list, 'utf8'))).flatMap(([name, rooms]) => [
    name,
    ...Object.keys(rooms).map((room) => `${name}/${room}`),
  ]);
  const found = new Set(
    listFiles(packages, '')
      .filter((path) => /^[^/]+\/src\/.*\.tsx?$/.test(path) && !path.includes('/generated/'))
      .map((path) => dirname(path).replace(/\/src(?=\/|$)/, '')),
  );
  return [
    ...[...found]
      .filter((room) => !listed.includes(room))
      .map((room) => `${room} is not in scripts/rooms.json`),
    ...listed
      .filter((room) => !found.has(room))
      .map((room) => `${room} in scripts/rooms.json has no sources`),
  ];
}

/** @param folder folder of a project @returns the number of imports, and a line for each problem */
export function check(folder) {
  const packages = resolve(folder, 'packages');
  const imports = listImports(packages);
  const single = imports.flatMap((one) => {
    const problem = judge(packages, one);
    return problem === undefined ? [] : [`${one.from} imports ${one.to}, which ${problem}`];
  });
  return {
    imports: imports.length,
    problems: [
      ...single,
      ...findCircles(drawArrows(imports)),
      ...findForeignWriters(packages),
      ...findOtherRooms(resolve(folder), packages),
    ],
  };
}

if (process.argv[1] === import.meta.filename) {
  const { imports, problems } = check(process.argv[2] ?? join(import.meta.dirname, '..'));
  problems.forEach((problem) => console.error(problem));
  console.log(`boundaries: ${imports} imports, ${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
