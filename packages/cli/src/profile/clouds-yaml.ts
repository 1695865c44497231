import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '@zonewright/terminal';
import { parse } from 'yaml';
import type { Host } from '../command/host.js';
import { type Access, toCredentials } from './access.js';

interface CloudsYaml {
  readonly clouds?: Readonly<
    Record<string, { readonly auth?: Readonly<Record<string, string | undefined>> }>
  >;
}

/** The cloud that OS_CLOUD names, where OpenStack's clients look for it. @throws InputError */
export function accessFromCloud(host: Host, cloud: string): Access {
  const { env, home } = host;
  const places = env['OS_CLIENT_CONFIG_FILE']
    ? [env['OS_CLIENT_CONFIG_FILE']]
    : ['clouds.yaml', join(home, '.config/openstack/clouds.yaml'), '/etc/openstack/clouds.yaml'];
  const file = places.find((place) => existsSync(place));
  if (file === undefined) {
    throw new InputError(`OS_CLOUD is ${cloud}, but there is no ${places.join(', ')}`);
  }
  const { clouds } = parse(readFileSync(file, 'utf8')) as CloudsYaml;
  const auth = clouds?.[cloud]?.auth ?? {};
  const credentials = toCredentials({
    accessKeyId: auth['application_credential_id'],
    secretKey: auth['application_credential_secret'],
    username: auth['username'],
    password: auth['password'],
    tenantId: auth['project_id'],
    tenantName: auth['project_name'],
  });
  if (auth['auth_url'] === undefined || credentials === undefined) {
    throw new InputError(`${file} has no cloud ${cloud} with auth_url, username and password`);
  }
  return { identityUrl: auth['auth_url'], auth: credentials };
}
