// Finds bounds (queues, slots, pools, caches, budgets) that docs/design/bounds.json does not list, and entries that the code no longer
// has. Each entry says whose the bound is, what is looked at before it is taken, and which test shows it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './install.mjs';

/** Classes that make a bound which several tenants, networks or sessions share. */
const CLASSES = [
  'Agent',
  'BodyBudget',
  'BoundedMap',
  'ConnectionTable',
  'DifferenceLog',
  'FailedPasswordBudget',
  'FairQueue',
  'FairSlots',
  'LRUCache',
  'Notifier',
  'BatchQueues',
  'RateLimiter',
  'RateLimits',
  'RelayQueue',
  'RequestGate',
  'SourceStanding',
  'Batcher',
  'Worker',
  'WriteBudget',
  'WrongSignatures',
];
const MAKES = new RegExp(`new (?:https?\\.)?(${CLASSES.join('|')})\\b(?:<[^(]*>)?\\(`, 'g');
/** Settings that bound something. */
const SETTING =
  /\b[a-zA-Z]+\(\s*['`](\$\{prefix\}_|[A-Z])([A-Z0-9_]*(?:MAX_|CONNECTIONS|_PER_|WORKERS|ENTRIES)[A-Z0-9_]*)['`]/g;
/** Programs of one user, and what tests and the development stack need. */
const OF_ONE_USER = [
  'admin-cli',
  'cli',
  'client',
  'console',
  'dev-stack',
  'terminal',
  'testkit',
  'e2e',
];
const MEMBERS = ['name', 'file', 'makes', 'shares', 'lookedAtFirst', 'test'];
const OWNERS = ['tenant', 'network', 'session'];

const { bounds, settings } = JSON.parse(
  readFileSync(join(ROOT, 'docs/design/bounds.json'), 'utf8'),
);
const problems = [...checkEntries(), ...findUnlisted()];
for (const problem of problems) console.error(problem);
console.log(`bounds: ${bounds.length} entries, ${problems.length} problems`);
process.exit(problems.length > 0 ? 1 : 0);

function checkEntries() {
  return bounds.flatMap((bound) => {
    const missing = [
      ...MEMBERS.filter((member) => !bound[member]),
      ...OWNERS.filter((owner) => !bound.shares?.[owner]),
    ];
    const { name, file, makes, test } = bound;
    if (missing.length > 0) return [`"${name}" does not say: ${missing.join(', ')}`];
    const isThere = existsSync(join(ROOT, file)) && madeIn(file).has(makes);
    return [
      ...(isThere ? [] : [`"${name}": ${file} does not make a ${makes}; remove the entry`]),
      ...(existsSync(join(ROOT, 'packages', test)) ? [] : [`"${name}": there is no test ${test}`]),
    ];
  });
}

function findUnlisted() {
  const listed = new Set(bounds.map(({ file, makes }) => `${file} ${makes}`));
  return sources().flatMap((file) => [
    ...[...madeIn(file)]
      .filter((makes) => !listed.has(`${file} ${makes}`))
      .map((makes) => `${file} makes a ${makes} that docs/design/bounds.json does not list`),
    ...[...read(file).matchAll(SETTING)]
      .map(([, before, rest]) => (before.startsWith('$') ? `*_${rest}` : before + rest))
      .filter((setting) => settings[setting] === undefined)
      .map(
        (setting) => `${setting} (${file}) is not among the settings of docs/design/bounds.json`,
      ),
  ]);
}

function madeIn(file) {
  return new Set([...read(file).matchAll(MAKES)].map(([, makes]) => makes));
}

function read(file) {
  return readFileSync(join(ROOT, file), 'utf8');
}

function sources() {
  return readdirSync(join(ROOT, 'packages'))
    .filter(
      (name) => !OF_ONE_USER.includes(name) && existsSync(join(ROOT, 'packages', name, 'src')),
    )
    .flatMap((name) =>
      readdirSync(join(ROOT, 'packages', name, 'src'), { recursive: true })
        .map((path) => `packages/${name}/src/${path}`)
        .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts')),
    );
}
