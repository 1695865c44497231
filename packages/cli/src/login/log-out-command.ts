import type { Command } from 'commander';
import { createClient } from '../http/node-client.js';
import type { Host } from '../command/host.js';
import { outputOf } from '../session/session.js';
import { type CommonOptions, userCommand } from '../command/user-command.js';
import { findProfile } from '../profile/find-access.js';
import { readProfiles, writeProfiles } from '../profile/profile-store.js';
import { forget } from './keep-key.js';

export function logOutCommand(host: Host): Command {
  return userCommand(
    'logout',
    'forget a log-in, and end the access key that it made',
    'logout',
  ).action(async (options: CommonOptions) => {
    const profile = findProfile(host, options.profile);
    const { identityUrl, dnsUrl, accessKeyId, secretKey } = profile;
    if (profile.isOwnKey) {
      await forget(
        createClient({ identityUrl, dnsUrl, auth: { accessKeyId, secretKey } }),
        profile,
      );
    }
    const { current, profiles } = readProfiles(host);
    const left = Object.fromEntries(
      Object.entries(profiles).filter(([, each]) => each.accessKeyId !== accessKeyId),
    );
    const isCurrentLeft = current !== undefined && current in left;
    writeProfiles(host, {
      current: isCurrentLeft ? current : Object.keys(left)[0],
      profiles: left,
    });
    const key = profile.isOwnKey ? ` The access key ${accessKeyId} is deleted.` : '';
    outputOf(host, options).done(`Logged out of ${identityUrl}.${key}`, {
      profiles: Object.keys(left),
    });
  });
}
