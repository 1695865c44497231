import { createClient } from '../http/node-client.js';
import type { Host } from '../command/host.js';
import type { CommonOptions } from '../command/user-command.js';
import { fetchFor } from '../http/watched-fetch.js';
import {
  forgetSecret,
  type Profile,
  readProfiles,
  readSecretKey,
  writeProfiles,
} from '../profile/profile-store.js';
import { forget } from './keep-key.js';

/** Forgets a log-in under all of its names, and ends the access key that it made, unless it is kept. @returns the names of those that are left */
export async function dropProfile(
  host: Host,
  profile: Profile,
  options: CommonOptions & { readonly keepKey?: boolean },
): Promise<readonly string[]> {
  const { identityUrl, dnsUrl, accessKeyId } = profile;
  if (profile.isOwnKey && options.keepKey !== true) {
    const auth = { accessKeyId, secretKey: readSecretKey(host, profile) };
    const client = createClient({ identityUrl, dnsUrl, auth }, fetchFor(host, options));
    await forget(client, profile);
  }
  forgetSecret(host, profile);
  const { current, profiles } = readProfiles(host);
  const left = Object.fromEntries(
    Object.entries(profiles).filter(([, each]) => each.accessKeyId !== accessKeyId),
  );
  const names = Object.keys(left);
  const isCurrentLeft = current !== undefined && Object.hasOwn(left, current);
  writeProfiles(host, { current: isCurrentLeft ? current : names[0], profiles: left });
  return names;
}
