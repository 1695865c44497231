// Measures the cost for dns-api when 2,000 clients listen to events, and the time until a change reaches all of them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuTimeOf } from '../lib/cpu-time.mjs';
import { createRecord, createSteadily, milliseconds, percentile } from './writes.mjs';

const LISTENERS = 2_000;
const PER_SECOND = 5;
const SCRIPT = fileURLToPath(new URL('listeners.mjs', import.meta.url));

export async function measureStreams({ platform, zones, seconds }) {
  const without = await cpuShare(platform, seconds);
  const writesWithout = await write(platform, zones, seconds);
  const listeners = await startListeners(platform);
  const idle = await cpuShare(platform, seconds);
  const writes = await write(platform, zones, seconds);
  // Some events may still be in transit.
  await delay(1_000);
  const heard = await listeners.stop();
  const delays = writes.map(({ name, at }) => heard.get(name).at - at);
  const complete = writes.filter(({ name }) => heard.get(name).connections === LISTENERS).length;
  const took = (each) =>
    milliseconds(
      percentile(
        each.map(({ took }) => took),
        0.5,
      ),
    );
  return [
    {
      what: `CPU of dns-api while ${LISTENERS} clients listen and nothing happens (nobody: ${percent(without)})`,
      measured: `${percent(idle)} of a core`,
      goal: '< 5%',
    },
    {
      what: `From sending a change until the last of ${LISTENERS} has it, ${PER_SECOND} a second (${complete} of ${writes.length} reached all; answered in p50 ${took(writes)}, with nobody listening ${took(writesWithout)})`,
      measured: `p50 ${milliseconds(percentile(delays, 0.5))}, p99 ${milliseconds(percentile(delays, 0.99))}`,
      goal: 'p99 100 ms',
    },
  ];
}

async function write(platform, zones, seconds) {
  return await createSteadily({
    perSecond: PER_SECOND,
    seconds,
    begin: async () => {
      const at = Date.now();
      const { body, milliseconds: took } = await createRecord(platform, zones);
      return { at, took, name: body.name.split('.')[0] };
    },
  });
}

const percent = (share) => `${(share * 100).toFixed(1)}%`;

async function cpuShare({ apiPid }, seconds) {
  const started = performance.now();
  const before = cpuTimeOf(apiPid);
  await delay(seconds * 1_000);
  return (cpuTimeOf(apiPid) - before) / 1e3 / (performance.now() - started);
}

async function startListeners({ apiUrl, token }) {
  const child = spawn(process.execPath, [SCRIPT, apiUrl.href, token, String(LISTENERS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part) => (text += part));
  while (!text.startsWith('ready')) await once(child.stdout, 'data');
  return {
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'close');
      return new Map(JSON.parse(text.slice('ready\n'.length)));
    },
  };
}
