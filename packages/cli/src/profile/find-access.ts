import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Client } from '@zonewright/client';
import { InputError } from '@zonewright/terminal';
import { createClient, type nodeFetch } from '../http/node-client.js';
import { NotLoggedInError } from '../command/failure.js';
import type { Host } from '../command/host.js';
import { type CommonOptions, PROGRAM } from '../command/user-command.js';
import { type Access, accessFromCloud, accessFromVariables } from './access.js';
import { type Profile, readProfiles, readSecretKey } from './profile-store.js';

/** @throws InputError if there are no credentials */
export function openClient(host: Host, options: CommonOptions, fetch?: typeof nodeFetch): Client {
  const access =
    findGivenAccess(host, options) ?? fromProfile(host, findProfile(host, options.profile));
  return createClient(access, fetch);
}

/** Returns the credentials of options and environment, in order of precedence. */
export function findGivenAccess(
  host: Host,
  { profile, envFile }: CommonOptions,
): Access | undefined {
  if (envFile !== undefined) return readEnvFile(envFile);
  if (profile !== undefined) return undefined;
  const cloud = host.env['OS_CLOUD'];
  return accessFromVariables(host.env) ?? (cloud ? accessFromCloud(host, cloud) : undefined);
}

function readEnvFile(file: string): Access {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new InputError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? ''})`);
  }
  const access = accessFromVariables(parseEnv(text));
  if (access === undefined) throw new InputError(`${file} has no ZONEWRIGHT_IDENTITY_URL`);
  return access;
}

export function findProfile(host: Host, name: string | undefined): Profile {
  const { current, profiles } = readProfiles(host);
  const wanted = name ?? host.env['ZONEWRIGHT_PROFILE'] ?? current;
  const profile = wanted === undefined ? undefined : profiles[wanted];
  if (profile !== undefined) return profile;
  if (name === undefined) throw new NotLoggedInError('you are not logged in');
  throw new InputError(`there is no profile ${name}. See ${PROGRAM} login --profile ${name}`);
}

function fromProfile(host: Host, profile: Profile): Access {
  const { identityUrl, dnsUrl, accessKeyId, tenantId, endsAt } = profile;
  if (endsAt !== undefined && endsAt < Date.now()) {
    throw new NotLoggedInError('the access key of this login is no longer valid');
  }
  const secretKey = readSecretKey(host, profile);
  return { identityUrl, dnsUrl, auth: { accessKeyId, secretKey, tenantId } };
}
