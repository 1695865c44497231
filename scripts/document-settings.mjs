// `node scripts/document-settings.mjs`: writes every setting of every program to docs/reference/configuration.md, between its markers, and to .env.example. Tests compare both with the code.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, build, ensureInstalled } from './install.mjs';

ensureInstalled();
build();
const { listSettings } = await import('../packages/service-kit/dist/index.js');

/** Settings tree that each program's package exports. */
const TREES = {
  'identity-service': ['identity-service', 'IDENTITY_SERVICE_SETTINGS'],
  'dns-api': ['dns-api', 'DNS_API_SETTINGS'],
  nameserver: ['nameserver', 'NAMESERVER_SETTINGS'],
  signer: ['signer', 'SIGNER_SETTINGS'],
  'console-service': ['console-service', 'CONSOLE_SETTINGS'],
  migrate: ['database', 'MIGRATE_SETTINGS'],
  'zonewright-admin': ['admin-cli', 'ADMIN_SETTINGS'],
  'npm start': ['dev-stack', 'START_SETTINGS'],
};

const programs = [];
for (const [name, [folder, tree]] of Object.entries(TREES)) {
  const exported = await import(`../packages/${folder}/dist/index.js`);
  programs.push({ name, settings: listSettings(exported[tree]) });
}

const guide = join(ROOT, 'docs/reference/configuration.md');
/** Settings that were explained for an earlier program, such as LOG_LEVEL or ..._HOST, are only listed. */
const PREFIX = /^(?:IDENTITY|DNS_API|CONSOLE|SIGNER|NAMESERVER)_/;
/** An item with an explanation; the others share a line. */
const EXPLAINED = /^`\w+`(?: \([^)]*\))?: /;
const explained = new Set();
const tracing = programs[0].settings.filter(({ variable }) => isOfTracing(variable));
const filled = programs
  .reduce(fillList, readFileSync(guide, 'utf8'))
  .replace(
    /(<!-- settings of tracing -->\n\n)[\s\S]*?(\n\n<!-- end -->)/,
    (_, start, end) => start + tracing.map((one) => `- ${item(one)}`).join('\n') + end,
  );
writeFileSync(guide, filled);
writeFileSync(join(ROOT, '.env.example'), envExample());

function fillList(text, { name, settings }) {
  const begin = `<!-- settings of ${name} -->`;
  const from = text.indexOf(begin);
  const to = text.indexOf('<!-- end -->', from);
  if (from < 0 || to < 0)
    throw new Error(`docs/reference/configuration.md has no place for ${name}`);
  const items = settings.filter(({ variable }) => !isOfTracing(variable)).map(item);
  const known = items.filter((text) => !EXPLAINED.test(text));
  const lines = items.filter((text) => EXPLAINED.test(text)).map((text) => `- ${text}`);
  if (known.length > 0) lines.push(`- ${known.join(', ')}`);
  return `${text.slice(0, from + begin.length)}\n\n${lines.join('\n')}\n\n${text.slice(to)}`;
}

function item(one) {
  const about = defaultOf(one);
  const head = `\`${one.variable}\`${about === '' ? '' : ` (${about})`}`;
  const key = one.variable.replace(PREFIX, '') + one.help;
  const isExplained = explained.has(key);
  explained.add(key);
  return isExplained ? head : `${head}: ${one.help}`;
}

/** Whether a setting is for tracing. These are the same in several programs, and have a separate section. */
function isOfTracing(variable) {
  return variable.startsWith('OTEL_');
}

function defaultOf({ fallback, defaultText, secret }) {
  if (fallback === undefined) return secret ? 'required, secret' : 'required';
  if (defaultText === '') return secret ? 'secret' : '';
  return `\`${defaultText}\``;
}

/** Returns .env.example. A variable of several programs occurs once, at its first program. */
function envExample() {
  const known = new Set();
  const lines = [
    '# Every variable that a program of Zonewright reads, with its default; docs/reference/configuration.md explains them. For',
    '# `node --env-file`. The .env of docker-compose.yml is another one: node scripts/generate-env.mjs writes it.',
    '# Written by scripts/document-settings.mjs.',
  ];
  for (const { name, settings } of programs) {
    lines.push('', `# ---- ${name}`);
    for (const { variable, help, defaultText } of settings) {
      if (known.has(variable)) continue;
      known.add(variable);
      lines.push(`# ${help}`, `#${variable}=${defaultText}`);
    }
  }
  return `${lines.join('\n')}\n`;
}
