// Measures the cost for dns-api when 2,000 callers wait at once for a stopped nameserver.
import { setTimeout as delay } from 'node:timers/promises';
import { cpuTimeOf } from '../lib/cpu-time.mjs';
import { createRecord, updateNothing } from './writes.mjs';

const CALLERS = 2_000;
/**
 * Rate of the callers. It is lower than the rate that dns-api rejects, and the last caller waits before the 10 s of the
 * first are over.
 */
const BATCH = 20;
const BATCH_MS = 50;
const WINDOW_MS = 2_000;

export async function measureCrowd({ platform, nameservers, zones }) {
  nameservers.signalLast('SIGSTOP');
  const answers = [];
  try {
    // One change for each domain. A caller without a change waits for the last change, too.
    for (const zone of zones) await createRecord(platform, [zone]);
    for (let n = 0; n < CALLERS; n++) {
      const answer = updateNothing(platform, zones[n % zones.length], 'wait=10');
      answer.catch(() => undefined);
      answers.push(answer);
      if (n % BATCH === 0) await delay(BATCH_MS);
    }
    await untilWaiting(platform);
    const started = performance.now();
    const before = cpuTimeOf(platform.apiPid);
    await delay(WINDOW_MS);
    const waiting = await countWaiters(platform);
    const seconds = (performance.now() - started) / 1_000;
    const share = (cpuTimeOf(platform.apiPid) - before) / 1e6 / seconds;
    nameservers.signalLast('SIGCONT');
    const counts = (await Promise.all(answers)).map(({ published }) => published);
    return [
      {
        what: `CPU of dns-api while ${waiting} callers wait (${counts.filter((count) => count === '6/6').length} then say 6/6)`,
        measured: `${(share * 100).toFixed(1)}% of a core`,
        goal: '< 5%',
      },
    ];
  } finally {
    nameservers.signalLast('SIGCONT');
    await Promise.allSettled(answers);
  }
}

async function untilWaiting(platform) {
  const end = performance.now() + 9_000;
  while ((await countWaiters(platform)) < CALLERS && performance.now() < end) await delay(100);
}

async function countWaiters({ operationsUrl }) {
  const text = await (await fetch(`${operationsUrl}/metrics`)).text();
  return Number(/^zonewright_dns_api_publication_waiters (\d+)$/m.exec(text)?.[1]);
}
