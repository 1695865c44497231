// Reads the CPU time of processes from /proc. Unlike rates, it hardly depends on other programs on the machine.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Unit of /proc/PID/stat in microseconds. It is a hundredth of a second on every Linux. */
const TICK_MICROSECONDS = 10_000;

/** Returns the CPU time of all threads of a process so far, in microseconds. NaN if there is no /proc. */
export function cpuTimeOf(pid) {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const fields = readFields(file);
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROSECONDS;
}

/**
 * Does the same for all processes that it has started, such as the sessions of PostgreSQL, including those that have
 * ended.
 */
export function cpuTimeOfChildren(pid) {
  const fields = readFields(`/proc/${pid}/stat`);
  const ended = (Number(fields[13]) + Number(fields[14])) * TICK_MICROSECONDS;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .reduce((sum, name) => sum + (cpuTimeOf(name) || 0), ended);
}

/** The process may have ended since it was listed. */
function parentOf(pid) {
  try {
    return Number(readFields(`/proc/${pid}/stat`)[1]);
  } catch {
    return undefined;
  }
}

function readFields(file) {
  // The second field is the name of the program in parentheses, which may contain blanks.
  return readFileSync(file, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
}
