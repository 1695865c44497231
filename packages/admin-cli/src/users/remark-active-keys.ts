import type { Output } from '@zonewright/terminal';

/** Who had a user's password or token may have made keys, which neither a new password nor the end of tokens ends. */
export function remarkActiveKeys(output: Output, keys: readonly string[]): void {
  if (keys.length === 0) return;
  output.remark(
    `${keys.length} active access keys still get tokens for this user; access-key list shows them, user revoke-all --keys makes them inactive.`,
  );
}
