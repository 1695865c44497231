import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Credentials } from '@zonewright/client';
import { InputError } from '@zonewright/terminal';
import { parse } from 'yaml';
import type { Host } from '../command/host.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** URL of the identity service, and the credentials. */
export interface Access {
  readonly identityUrl: string;
  readonly dnsUrl?: string | undefined;
  readonly auth: Credentials;
}

/**
 * Reads ZONEWRIGHT_* variables, as `npm start` and `key create` write them, or else those of OpenStack. Undefined if
 * there are none.
 */
export function accessFromVariables(variables: Variables): Access | undefined {
  return fromZonewright(variables) ?? fromOpenStack(variables);
}

function fromZonewright(variables: Variables): Access | undefined {
  const get = (name: string) => variables[`ZONEWRIGHT_${name}`] || undefined;
  const identityUrl = get('IDENTITY_URL');
  if (identityUrl === undefined) return undefined;
  const auth = toCredentials({
    accessKeyId: get('ACCESS_KEY'),
    secretKey: get('SECRET_KEY'),
    username: get('USERNAME'),
    password: get('PASSWORD'),
    tenantId: get('TENANT_ID'),
    tenantName: get('TENANT_NAME'),
  });
  if (auth === undefined) {
    throw new InputError(
      'ZONEWRIGHT_IDENTITY_URL is set, but neither ZONEWRIGHT_ACCESS_KEY and ZONEWRIGHT_SECRET_KEY nor ZONEWRIGHT_USERNAME and ZONEWRIGHT_PASSWORD',
    );
  }
  return { identityUrl, dnsUrl: get('DNS_URL'), auth };
}

function fromOpenStack(variables: Variables): Access | undefined {
  const get = (name: string) => variables[`OS_${name}`] || undefined;
  const identityUrl = get('AUTH_URL');
  if (identityUrl === undefined) return undefined;
  const auth = toCredentials({
    accessKeyId: get('APPLICATION_CREDENTIAL_ID'),
    secretKey: get('APPLICATION_CREDENTIAL_SECRET'),
    username: get('USERNAME'),
    password: get('PASSWORD'),
    tenantId: get('PROJECT_ID') ?? get('TENANT_ID'),
    tenantName: get('PROJECT_NAME') ?? get('TENANT_NAME'),
  });
  if (auth === undefined) {
    throw new InputError('OS_AUTH_URL is set, but not OS_USERNAME and OS_PASSWORD');
  }
  return { identityUrl, auth };
}

type Facts = Readonly<
  Record<
    'accessKeyId' | 'secretKey' | 'username' | 'password' | 'tenantId' | 'tenantName',
    string | undefined
  >
>;

/** Returns the credentials. A key takes precedence over a password, since it may be restricted. */
function toCredentials(facts: Facts): Credentials | undefined {
  const { accessKeyId, secretKey, username, password, tenantId, tenantName } = facts;
  const tenant = { tenantId, tenantName };
  if (accessKeyId !== undefined && secretKey !== undefined) {
    return { accessKeyId, secretKey, ...tenant };
  }
  if (username === undefined || password === undefined) return undefined;
  return { username, password, ...tenant };
}

interface CloudsYaml {
  readonly clouds?: Readonly<
    Record<string, { readonly auth?: Readonly<Record<string, string | undefined>> }>
  >;
}

/** Returns the cloud of OS_CLOUD from the files that OpenStack's clients use. @throws InputError */
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
