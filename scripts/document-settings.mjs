// `node scripts/document-settings.mjs`: writes every setting of every program into docs/reference/configuration.md, between
// its markers, and into .env.example. Tests compare both with the code.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, build, ensureInstalled } from './install.mjs';

ensureInstalled();
build();
const { listSettings } = await import('../packages/service-kit/dist/index.js');

/** The settings tree that each program's package exports. */
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
const filled = programs.reduce(fillTable, readFileSync(guide, 'utf8'));
writeFileSync(guide, filled);
writeFileSync(join(ROOT, '.env.example'), envExample());

function fillTable(text, { name, settings }) {
  const begin = `<!-- settings of ${name} -->`;
  const from = text.indexOf(begin);
  const to = text.indexOf('<!-- end -->', from);
  if (from < 0 || to < 0)
    throw new Error(`docs/reference/configuration.md has no place for ${name}`);
  const rows = settings.map(
    (one) => `| \`${one.variable}\` | ${defaultOf(one)} | ${cell(one.help)} |`,
  );
  const table = ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
  return `${text.slice(0, from + begin.length)}\n\n${table}\n\n${text.slice(to)}`;
}

function defaultOf({ fallback, defaultText, secret }) {
  if (fallback === undefined) return secret ? 'required, secret' : 'required';
  if (defaultText === '') return secret ? 'unset, secret' : 'unset';
  return `\`${cell(defaultText)}\``;
}

function cell(text) {
  return text.replaceAll('|', '\\|');
}

/** A variable that several programs read stands once, where it comes first. */
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
