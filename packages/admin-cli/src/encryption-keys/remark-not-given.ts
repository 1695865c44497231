import { countSealed, type Database, KEY_SETTINGS, type NamedKeyring } from '@zonewright/database';
import type { Output } from '@zonewright/terminal';

/** Says which secrets were left alone because the setting with their keys is not set. */
export async function remarkNotGiven(
  db: Database,
  output: Output,
  given: readonly NamedKeyring[],
): Promise<void> {
  for (const setting of KEY_SETTINGS) {
    if (given.some((named) => named.setting === setting)) continue;
    const count = await countSealed(db, setting);
    if (count > 0) output.remark(`${count} secrets were left alone: ${setting} is not set.`);
  }
}
