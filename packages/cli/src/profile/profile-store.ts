import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InputError } from '@zonewright/terminal';
import type { Host } from '../command/host.js';
import { eraseSecret, readStoredSecret, storeSecret } from './credential-helper.js';

/** Access to one installation as one user, stored by `zonewright login`. */
export interface Profile {
  readonly identityUrl: string;
  readonly dnsUrl?: string | undefined;
  readonly tenantId: string | undefined;
  readonly tenantName: string | undefined;
  readonly username: string;
  readonly accessKeyId: string;
  /** Secret, if this file contains it. Undefined if a credential helper stores it. */
  readonly secretKey?: string | undefined;
  /** Name of the credential helper, as in credential-helper.ts. */
  readonly storage?: string | undefined;
  /** Whether the login created the key. `logout` deletes it then. */
  readonly isOwnKey: boolean;
  /** Expiry of the key, in milliseconds since 1970. */
  readonly endsAt: number | undefined;
}

interface Profiles {
  readonly current: string | undefined;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const OTHERS = 0o077;

export function profileFile({ env, home }: Host): string {
  return join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'zonewright', 'profiles.json');
}

/** @throws InputError if other users can read the file, or if it is not a file of profiles */
export function readProfiles(host: Host): Profiles {
  const file = profileFile(host);
  let text: string;
  try {
    const { mode } = statSync(file);
    if ((mode & OTHERS) !== 0) {
      throw new InputError(
        `${file} contains secrets and can be read by other users. Run chmod 600 ${file}`,
      );
    }
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { current: undefined, profiles: {} };
  }
  try {
    return JSON.parse(text) as Profiles;
  } catch {
    throw new InputError(`${file} is not valid JSON. Remove it and log in again.`);
  }
}

/** Writes a temporary file and renames it, so that a full disk does not lose profiles. */
export function writeProfiles(host: Host, profiles: Profiles): void {
  const file = profileFile(host);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writePrivate(`${file}.new`, `${JSON.stringify(profiles, undefined, 2)}\n`);
  renameSync(`${file}.new`, file);
}

/** Writes a file that only its owner can read, even if it existed before. */
export function writePrivate(file: string, text: string): void {
  writeFileSync(file, '', { mode: 0o600 });
  chmodSync(file, 0o600);
  writeFileSync(file, text);
}

function secretPlace({ identityUrl, accessKeyId }: Profile) {
  return { url: `${identityUrl}/zonewright/${accessKeyId}`, username: accessKeyId };
}

/**
 * Stores the secret of a profile and returns the profile for the file.
 *
 * @param storage credential helper; undefined stores the secret in the file
 * @throws InputError
 */
export function saveSecret(host: Host, profile: Profile, storage: string | undefined): Profile {
  const { secretKey = '', ...rest } = profile;
  if (storage === undefined) return profile;
  storeSecret(host, storage, secretPlace(profile), secretKey);
  return { ...rest, storage };
}

/** @throws InputError */
export function readSecretKey(host: Host, profile: Profile): string {
  const { secretKey, storage } = profile;
  if (storage === undefined) return secretKey ?? '';
  return readStoredSecret(host, storage, secretPlace(profile));
}

export function forgetSecret(host: Host, profile: Profile): void {
  if (profile.storage !== undefined) eraseSecret(host, profile.storage, secretPlace(profile));
}
