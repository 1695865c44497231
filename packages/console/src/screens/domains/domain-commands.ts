import { hclResource } from '../../ui/hcl.js';
import { zoneFileName } from '../../state/paths.js';
import {
  type CommandTexts,
  curl,
  MOST_CHARACTERS,
  printed,
  quote,
  zonewright,
} from '../../ui/shell.js';

interface Named {
  readonly id: string;
  readonly name: string;
}

interface Settings {
  readonly email: string;
  readonly ttl: number;
  readonly description: string | null;
}

/** Maximum number of domains in a command. Nobody would read a longer list. */
const MOST_DOMAINS = 100;

/** @param name without its trailing dot */
export function createCommands(name: string, email: string): CommandTexts {
  const body = { name: `${name}.`, email };
  return {
    zonewright: zonewright('domain', 'add', name, '--email', email),
    curl: curl({ method: 'POST', path: '/v1/domains', body }),
    terraform: hclResource('openstack_dns_zone_v2', name, body),
  };
}

/** Commands for an import. The program rejects a file with a wrong line, and reports the line. */
export function importCommands(
  name: string,
  email: string,
  zonefile: string,
): CommandTexts | undefined {
  if (zonefile.length > MOST_CHARACTERS) return undefined;
  const body = { name: `${name}.`, email, zonefile, on_error: 'skip' };
  const words = ['domain', 'import', '-', '--domain', name, '--email', email];
  return {
    zonewright: `${printed(zonefile)} | ${zonewright(...words)}`,
    curl: curl({ method: 'POST', path: '/v1/domains/import', body }),
  };
}

export function deleteCommands(domains: readonly Named[]): CommandTexts | undefined {
  return ofEach(domains, ({ id, name }) => ({
    zonewright: zonewright('domain', 'delete', name, '--yes'),
    curl: curl({ method: 'DELETE', path: `/v1/domains/${id}` }),
  }));
}

export function changeCommands(
  domains: readonly Named[],
  changed: Partial<Settings>,
): CommandTexts | undefined {
  const { email, ttl, description } = changed;
  const options = [
    ...(email === undefined ? [] : ['--email', email]),
    ...(ttl === undefined ? [] : ['--ttl', String(ttl)]),
    ...(description === undefined ? [] : ['--description', description ?? '']),
  ];
  if (options.length === 0 || Number.isNaN(ttl)) return undefined;
  return ofEach(domains, ({ id, name }) => ({
    zonewright: zonewright('domain', 'set', name, ...options),
    curl: curl({ method: 'PUT', path: `/v1/domains/${id}`, body: changed }),
  }));
}

/** Returns the domain as a resource, with its new settings. */
export function zoneResource({ id, name }: Named, settings: Settings): string {
  const { email, ttl, description } = settings;
  const values = { name, email, ttl, description: description ?? undefined };
  return hclResource('openstack_dns_zone_v2', name, values, id);
}

export function exportCommands(domains: readonly Named[]): CommandTexts | undefined {
  return ofEach(domains, ({ id, name }) => {
    const file = zoneFileName(name);
    const request = curl({ method: 'GET', path: `/v1/domains/${id}/zonefile` });
    return {
      zonewright: zonewright('domain', 'export', name, '--output', file),
      curl: `${request} --output ${quote(file)}`,
    };
  });
}

/** Joins the commands for each domain, one on each line. */
function ofEach(
  domains: readonly Named[],
  toTexts: (domain: Named) => { readonly zonewright: string; readonly curl: string },
): CommandTexts | undefined {
  if (domains.length > MOST_DOMAINS) return undefined;
  const all = domains.map(({ id, name }) => toTexts({ id, name: name.replace(/\.$/, '') }));
  return {
    zonewright: all.map((each) => each.zonewright).join('\n'),
    curl: all.map((each) => each.curl).join('\n'),
  };
}
