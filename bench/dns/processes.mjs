// Reads the memory and CPU time of a server's processes, including its children, from /proc.
import { readdirSync, readFileSync } from 'node:fs';

/** Unit of CPU time on Linux: a hundredth of a second, whatever the kernel's clock is. */
const TICK_SECONDS = 0.01;

function family(pid) {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return [pid, ...children.flatMap(family)];
}

export function cpuSeconds(pid) {
  const ticks = family(pid).map((member) => {
    const stat = readFileSync(`/proc/${member}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, count) => sum + count, 0) * TICK_SECONDS;
}

/** Returns the proportional memory, in which shared pages are counted once. */
export function memoryMegabytes(pid) {
  const kilobytes = family(pid).map((member) => {
    const rollup = readFileSync(`/proc/${member}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
  });
  return kilobytes.reduce((sum, count) => sum + count, 0) / 1_024;
}

/**
 * Resident memory of one process, including shared pages. It is used for differences between processes of one program.
 */
export const residentMegabytes = (pid) => statusMegabytes(pid, 'VmRSS');

/** Peak memory since the process started. */
export const peakMegabytes = (pid) => statusMegabytes(pid, 'VmHWM');

function statusMegabytes(pid, field) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1_024;
}
