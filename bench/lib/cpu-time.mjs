// CPU time of processes, from /proc: unlike rates it hardly changes when something else uses the machine, too.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The unit of /proc/PID/stat: 100 a second on every Linux. */
const TICK_MICROSECONDS = 10_000;

/** What a process, all threads of it, has used so far, in microseconds; NaN where there is no /proc. */
export function cpuTimeOf(pid) {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const fields = readFields(file);
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROSECONDS;
}

/** The same of all processes that it has started, as a PostgreSQL server's sessions, those that have ended among them. */
export function cpuTimeOfChildren(pid) {
  const fields = readFields(`/proc/${pid}/stat`);
  const ended = (Number(fields[13]) + Number(fields[14])) * TICK_MICROSECONDS;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .reduce((sum, name) => sum + (cpuTimeOf(name) || 0), ended);
}

/** It may have ended since it was listed. */
function parentOf(pid) {
  try {
    return Number(readFields(`/proc/${pid}/stat`)[1]);
  } catch {
    return undefined;
  }
}

function readFields(file) {
  // The second field is the name of the program, in parentheses, and may hold blanks.
  return readFileSync(file, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
}
