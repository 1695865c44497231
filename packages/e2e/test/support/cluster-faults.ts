import { waitFor } from '@zonewright/testkit';
import { setTimeout as delay } from 'node:timers/promises';
import { MEMBERS, type MemberName, type PatroniCluster } from './patroni-cluster.js';

/** Pause between two steps of a fault, so that the state between them lasts for a while. */
const PAUSE_MS = 1_000;
/** Time limit of a failover on a busy machine. */
const WITHIN_MS = 90_000;

interface ClusterFault {
  readonly movesPrimary: boolean;
  /** @param isBack waits until changes are accepted and served again; the cluster then becomes complete on its own */
  readonly befall: (cluster: PatroniCluster, isBack: () => Promise<void>) => Promise<void>;
}

/** Cost of one fault. */
export interface Round {
  /** Time until the cluster accepted writes again. */
  readonly failoverMs: number;
  /** Time until a write that began after the fault was acknowledged. */
  readonly refusedMs: number;
  /** Time after that until both nameservers answered with it. */
  readonly outOfStepMs: number;
}

/** Returns the faults of a cluster by title. @param isDivisible whether its members are on hosts of a network */
export function clusterFaults(isDivisible: boolean): ReadonlyMap<string, ClusterFault> {
  return new Map(Object.entries({ ...ON_ONE_MACHINE, ...(isDivisible ? BY_NETWORK : {}) }));
}

const ON_ONE_MACHINE: Readonly<Record<string, ClusterFault>> = {
  'primary killed': {
    movesPrimary: true,
    befall: async (cluster, isBack) => {
      const primary = await cluster.primary();
      cluster.signal(primary, 'SIGKILL');
      await isBack();
      await cluster.resume(primary);
    },
  },
  'primary hangs, and goes on as if nothing had been': {
    movesPrimary: true,
    befall: async (cluster, isBack) => {
      const primary = await cluster.primary();
      cluster.signal(primary, 'SIGSTOP');
      await isBack();
      cluster.signal(primary, 'SIGCONT');
    },
  },
  'primary killed while a standby lags': {
    movesPrimary: true,
    befall: async (cluster, isBack) => {
      const [primary, standby] = [await cluster.primary(), await cluster.standby()];
      const third = MEMBERS.find((name) => ![primary, standby].includes(name))!;
      cluster.signal(third, 'SIGSTOP');
      await delay(PAUSE_MS);
      cluster.signal(primary, 'SIGKILL');
      cluster.signal(third, 'SIGCONT');
      await isBack();
      await cluster.resume(primary);
    },
  },
  'standby killed': {
    movesPrimary: false,
    befall: async (cluster, isBack) => {
      const standby = await cluster.standby();
      cluster.signal(standby, 'SIGKILL');
      await isBack();
      await cluster.resume(standby);
    },
  },
  'both standbys killed': {
    movesPrimary: false,
    befall: async (cluster, isBack) => {
      const primary = await cluster.primary();
      const standbys = MEMBERS.filter((name) => name !== primary);
      for (const name of standbys) cluster.signal(name, 'SIGKILL');
      await waitFor(async () => !(await cluster.takesWrites()), WITHIN_MS);
      await delay(PAUSE_MS);
      for (const name of standbys) await cluster.resume(name);
      await isBack();
    },
  },
  switchover: {
    movesPrimary: true,
    befall: async (cluster, isBack) => {
      await cluster.switchOver();
      await isBack();
    },
  },
};

const BY_NETWORK: Readonly<Record<string, ClusterFault>> = {
  'primary cut off from all': divided(
    (cluster) => cluster.primary(),
    (cluster, name) => {
      cluster.cut(name);
    },
  ),
  // Only this primary commits further writes of its clients. No standby acknowledges them, and it is rewound.
  'primary cut off from the cluster, not from its clients': divided(
    (cluster) => cluster.primary(),
    (cluster, name) => {
      cluster.cutFromCluster(name);
    },
  ),
  'synchronous standby cut off': {
    ...divided(
      (cluster) => cluster.standby(),
      (cluster, name) => {
        cluster.cut(name);
      },
    ),
    movesPrimary: false,
  },
};

function divided(
  choose: (cluster: PatroniCluster) => Promise<MemberName>,
  divide: (cluster: PatroniCluster, name: MemberName) => void,
): ClusterFault {
  return {
    movesPrimary: true,
    befall: async (cluster, isBack) => {
      const name = await choose(cluster);
      divide(cluster, name);
      await isBack();
      cluster.mend(name);
    },
  };
}

export function describeRounds(rounds: Readonly<Record<string, readonly Round[]>>): string {
  return Object.entries(rounds)
    .map(([fault, each]) => `${fault}: ${describeFault(each)}`)
    .join('\n');
}

function describeFault(rounds: readonly Round[]): string {
  const spread = (read: (round: Round) => number) => {
    const seconds = rounds.map((round) => read(round) / 1000).toSorted((a, b) => a - b);
    const [median = 0, most = 0] = [seconds[seconds.length >> 1], seconds.at(-1)];
    return `${median.toFixed(1)} s (${most.toFixed(1)} at most)`;
  };
  return [
    `${rounds.length} times`,
    `the cluster took writes after ${spread(({ failoverMs }) => failoverMs)}`,
    `changes refused for ${spread(({ refusedMs }) => refusedMs)}`,
    `${spread(({ refusedMs, failoverMs }) => refusedMs - failoverMs)} of it later than the cluster took them`,
    `out of step for ${spread(({ outOfStepMs }) => outOfStepMs)}`,
  ].join(', ');
}
