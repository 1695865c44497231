// CPU time of processes, from /proc: unlike rates it hardly changes when something else uses the machine, too.
import { existsSync, readFileSync } from 'node:fs';

/** The unit of /proc/PID/stat: 100 a second on every Linux. */
const TICK_MICROSECONDS = 10_000;

/** What a process, all threads of it, has used so far, in microseconds; NaN where there is no /proc. */
export function cpuTimeOf(pid) {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  // The second field is the name of the program, in parentheses, and may hold blanks.
  const fields = readFileSync(file, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROSECONDS;
}
