import type { SecretSurvey } from '@zonewright/accounts';
import type { Output } from '@zonewright/terminal';

const SHOWN = 10;

/** Says which secrets do not open, and what that means. */
export function remarkUnreadable(output: Output, { unreadable }: SecretSurvey): void {
  if (unreadable.length === 0) return;
  for (const row of unreadable.slice(0, SHOWN)) output.remark(`does not open: ${row}`);
  if (unreadable.length > SHOWN) output.remark(`and ${unreadable.length - SHOWN} more`);
  output.remark(
    'Add the key that sealed them to ENCRYPTION_KEYS; without it these secrets are lost, and only new keys help.',
  );
}
