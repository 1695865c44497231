import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Each thread takes some 20 MiB. More of them are for machines that do nothing else, and are asked for. */
const MOST = 8;
/** CPU limit of our container (cgroup v2): microseconds of CPU in each period, or `max`. */
const CPU_MAX_FILE = '/sys/fs/cgroup/cpu.max';

/** How many threads answer UDP where nothing is set: one for each core that this process may use, up to a bound. */
export function defaultWorkers(): number {
  return countDefaultWorkers(availableParallelism(), readCpuMax());
}

/** `cpuMax`: the text of cpu.max. A limit of CPU time leaves all cores in sight, so that counting those is not enough. */
export function countDefaultWorkers(cores: number, cpuMax: string | undefined): number {
  const [, quota, period] = /^(\d+) (\d+)/.exec(cpuMax ?? '') ?? [];
  const allowed = quota === undefined ? cores : Math.ceil(Number(quota) / Number(period));
  return Math.max(1, Math.min(cores, allowed, MOST));
}

/** Undefined on other systems and under cgroup v1. */
function readCpuMax(): string | undefined {
  try {
    return readFileSync(CPU_MAX_FILE, 'utf8');
  } catch {
    return undefined;
  }
}
