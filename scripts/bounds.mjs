// Finds bounds (queues, slots, pools, caches, budgets) that docs/design/bounds.json does not list, and entries that the
// code no longer has. Each entry names the owner of the bound, the check before it is used, and the test that shows it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './install.mjs';

/** Classes that limit something shared by several tenants, networks or sessions. */
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
  'TransferBudget',
  'WriteBudget',
  'WrongSignatures',
];
/** Names of classes that limit something, in addition to those above. */
const BOUND_NAME =
  /(?:Agent|Attempts|Batcher|Budget|Cache|Gate|Limiter|Limits|Log|Notifier|Order|Places|Pool|Queues?|Semaphore|Shares|Slots|Standing|Streams|Table|Throttle|Worker)$/;
/** Classes with such a name that limit nothing themselves. */
const NO_BOUNDS = ['FaultLog', 'PasswordAttempts'];
const MAKES = /\bnew (?:\w+\.)?([A-Z]\w*)\b(?:<[^(]*>)?\(/g;
/** Limits that a class or module counts itself. */
const COUNTED = /(?:this\.#\w+|\b(\w+))\.(?:size|length)\s*[<>]=?\s*(?:MAX|MOST)_/g;
/** Settings that limit something. */
const SETTING = /\b(?:integer|limit)\(\s*['`]((?:\$\{prefix\}|[A-Z])[A-Z0-9_]*)['`]/g;
const BOUNDING =
  /MAX_|CONNECTIONS|CONNECTION_LIMIT|_PER_|WORKERS|ENTRIES|QUOTA|RATE_LIMIT|IMAGE_BYTES/;
/** Packages with a single user, and those for tests and development. */
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

const MADE_OF_BOUNDS = new Set(findMadeOfBounds());
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
      .map(([, name]) => name.replace('${prefix}', '*'))
      .filter((setting) => BOUNDING.test(setting) && settings[setting] === undefined)
      .map(
        (setting) => `${setting} (${file}) is not among the settings of docs/design/bounds.json`,
      ),
  ]);
}

/** Returns the limiting classes that a file instantiates; `count` for a limit that it counts itself. */
function madeIn(file) {
  const text = read(file);
  const made = [...text.matchAll(MAKES)].map(([, name]) => name).filter(isBound);
  const isCounting = [...text.matchAll(COUNTED)].some(
    ([, local]) => local === undefined || isOfModule(text, local),
  );
  return new Set([...made, ...(isCounting ? ['count'] : [])]);
}

function isBound(name) {
  if (CLASSES.includes(name)) return true;
  return BOUND_NAME.test(name) && !NO_BOUNDS.includes(name) && !MADE_OF_BOUNDS.has(name);
}

function isOfModule(text, name) {
  return new RegExp(`^(?:export )?const ${name}\\b`, 'm').test(text);
}

/** Finds classes whose file instantiates a limit, which is listed there. */
function findMadeOfBounds() {
  const names = new RegExp(`new (?:https?\\.)?(?:${CLASSES.join('|')})\\b(?:<[^(]*>)?\\(`);
  return sources()
    .filter((file) => names.test(read(file)) || [...read(file).matchAll(COUNTED)].length > 0)
    .flatMap((file) => [...read(file).matchAll(/^export class (\w+)/gm)].map(([, name]) => name));
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
