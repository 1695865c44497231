import { askLine, CommandEnd, InputError } from '@zonewright/terminal';
import { EXIT } from './exit-codes.js';
import type { Host } from './host.js';

/** Asks at a terminal; elsewhere `--yes` must say it. @throws InputError, CommandEnd */
export async function confirm(
  host: Host,
  { yes }: { readonly yes?: boolean },
  question: string,
): Promise<void> {
  if (yes === true) return;
  if (host.stdin.isTTY !== true) throw new InputError(`${question} To confirm, add --yes.`);
  const answer = await askLine(host, `${question} (yes/no)`, '--yes');
  if (/^y(es)?$/i.test(answer.trim())) return;
  host.stderr.write('Nothing was changed.\n');
  throw new CommandEnd(EXIT.failed);
}
