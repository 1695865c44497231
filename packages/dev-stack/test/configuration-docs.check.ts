import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { ADMIN_SETTINGS } from '@zonewright/admin-cli';
import { MIGRATE_SETTINGS } from '@zonewright/database';
import { CONSOLE_SETTINGS } from '@zonewright/console-service';
import { DNS_API_SETTINGS } from '@zonewright/dns-api';
import { IDENTITY_SERVICE_SETTINGS } from '@zonewright/identity-service';
import { NAMESERVER_SETTINGS } from '@zonewright/nameserver';
import { listSettings, type Setting } from '@zonewright/service-kit';
import { SIGNER_SETTINGS } from '@zonewright/signer';
import { START_SETTINGS } from '../src/settings/settings.js';

const PROGRAMS = {
  'identity-service': listSettings(IDENTITY_SERVICE_SETTINGS),
  'dns-api': listSettings(DNS_API_SETTINGS),
  nameserver: listSettings(NAMESERVER_SETTINGS),
  signer: listSettings(SIGNER_SETTINGS),
  'console-service': listSettings(CONSOLE_SETTINGS),
  migrate: listSettings(MIGRATE_SETTINGS),
  'zonewright-admin': listSettings(ADMIN_SETTINGS),
  'npm start': listSettings(START_SETTINGS),
};

const PREFIX = /^(?:IDENTITY|DNS_API|CONSOLE|SIGNER|NAMESERVER)_/;
const GUIDE = readProjectFile('docs/reference/configuration.md');
const COMPOSE = readProjectFile('docker-compose.yml');

describe('docs/reference/configuration.md describes exactly the settings of the code', () => {
  const explained = new Set<string>();
  const all = Object.entries(PROGRAMS).map(([name, settings]) => {
    const own = settings.filter(({ variable }) => !variable.startsWith('OTEL_'));
    return { name, expected: linesOf(own, explained) };
  });

  it.each(all)('$name', ({ name, expected }) => {
    expect(items(sectionOf(name))).toEqual(expected);
  });

  it('tracing, which is the same in three programs', () => {
    const documented = items(sectionOf('Traces'));
    for (const name of ['identity-service', 'dns-api', 'console-service'] as const) {
      const traces = PROGRAMS[name].filter(({ variable }) => variable.startsWith('OTEL_'));
      expect(documented).toEqual(linesOf(traces));
    }
  });

  it('docker-compose: every variable that docker-compose.yml takes from .env', () => {
    const taken = [...COMPOSE.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, variable]) => variable);
    const documented = items(sectionOf('docker-compose')).flatMap((line) =>
      [...line.matchAll(/`([A-Z]\w+)`(?= \(|, `|:)/g)].map(([, variable]) => variable),
    );
    expect(documented.toSorted()).toEqual([...new Set(taken)].toSorted());
  });
});

describe('.env.example', () => {
  const settings = new Map(
    Object.values(PROGRAMS)
      .flat()
      .toReversed()
      .map((setting) => [setting.variable, setting]),
  );
  const lines = readProjectFile('.env.example').split('\n');
  const variables = lines.flatMap((line) => /^#?([A-Z][A-Z0-9_]+)=/.exec(line)?.[1] ?? []);

  it('lists every variable once, and no others', () => {
    expect(variables.toSorted()).toEqual([...settings.keys()].toSorted());
  });

  it.each(variables)('%s has its meaning and its default', (variable) => {
    const index = lines.findIndex((line) => line.startsWith(`#${variable}=`));
    const { help, defaultText } = settings.get(variable)!;
    expect(lines.slice(index - 1, index + 1)).toEqual([`# ${help}`, `#${variable}=${defaultText}`]);
  });
});

it('scripts/generate-env.mjs creates every variable that docker-compose.yml requires', () => {
  const required = [...COMPOSE.matchAll(/\$\{(\w+):\?/g)].map(([, variable]) => variable);
  const script = readProjectFile('scripts/generate-env.mjs');
  for (const variable of required) expect(script).toContain(`\n${variable}=`);
});

function readProjectFile(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
}

function sectionOf(heading: string): string {
  const [, section] = GUIDE.split(`\n## ${heading}\n`);
  return section?.split('\n## ')[0] ?? '';
}

function items(section: string): string[] {
  return section.split('\n').filter((line) => line.startsWith('- `'));
}

/** Renders settings. Those that were explained for an earlier program in the same words share the last line. */
function linesOf(settings: readonly Setting<unknown>[], explained = new Set<string>()): string[] {
  const known: string[] = [];
  const lines: string[] = [];
  for (const setting of settings) {
    const about = defaultOf(setting);
    const head = `\`${setting.variable}\`${about === '' ? '' : ` (${about})`}`;
    const key = setting.variable.replace(PREFIX, '') + setting.help;
    if (explained.has(key)) known.push(head);
    else lines.push(`- ${head}: ${setting.help}`);
    explained.add(key);
  }
  return known.length === 0 ? lines : [...lines, `- ${known.join(', ')}`];
}

function defaultOf({ fallback, defaultText, secret }: Setting<unknown>): string {
  if (fallback === undefined) return secret ? 'required, secret' : 'required';
  if (defaultText === '') return secret ? 'secret' : '';
  return `\`${defaultText}\``;
}
