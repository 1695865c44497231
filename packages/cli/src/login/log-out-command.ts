import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { outputOf } from '../session/session.js';
import { accountCommand, type CommonOptions } from '../command/user-command.js';
import { findProfile } from '../profile/find-access.js';
import { dropProfile } from './drop-profile.js';

export function logOutCommand(host: Host): Command {
  return accountCommand(
    'logout',
    'log out and delete the access key of the login',
    'logout',
  ).action(async (options: CommonOptions) => {
    const profile = findProfile(host, options.profile);
    const profiles = await dropProfile(host, profile, options);
    const { identityUrl, isOwnKey, accessKeyId } = profile;
    const key = isOwnKey ? ` Deleted access key ${accessKeyId}.` : '';
    outputOf(host, options).done(`Logged out of ${identityUrl}.${key}`, { profiles });
  });
}
