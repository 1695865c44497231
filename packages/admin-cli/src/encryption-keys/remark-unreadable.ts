import type { KeySetting, SecretSurvey } from '@zonewright/database';
import type { Output } from '@zonewright/terminal';

const SHOWN = 10;

/** Says which secrets do not open with the keys of a setting, and what that means. */
export function remarkUnreadable(
  output: Output,
  setting: KeySetting,
  { unreadable }: SecretSurvey,
): void {
  if (unreadable.length === 0) return;
  for (const row of unreadable.slice(0, SHOWN)) output.remark(`does not open: ${row}`);
  if (unreadable.length > SHOWN) output.remark(`and ${unreadable.length - SHOWN} more`);
  output.remark(
    `Add the key that sealed them to ${setting}; without it these secrets are lost, and only new keys help.`,
  );
}
