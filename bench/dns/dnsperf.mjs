// Runs dnsperf (Debian package dnsperf) on the client's core.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { distribution } from './report.mjs';

const DNSPERF = '/usr/bin/dnsperf';
const CLIENT_CORE = '1';
const CLIENTS = 16;
/** Maximum number of outstanding queries: enough to keep a server busy, but not so many that its queue overflows. */
const UNDER_WAY = 200;

export const hasDnsperf = existsSync(DNSPERF);

/** Sends as many queries as the server can answer. */
export async function saturate(port, questions, seconds, options = []) {
  return await run(port, questions, ['-l', String(seconds), '-q', String(UNDER_WAY), ...options]);
}

/** Sends queries at a given rate per second. The result also has the distribution of latency, in milliseconds. */
export async function askSteadily(port, questions, seconds, perSecond) {
  const limits = ['-l', String(seconds), '-Q', String(Math.round(perSecond)), '-v'];
  return await run(port, questions, limits);
}

async function run(port, questions, limits) {
  const dnsperf = spawn('taskset', [
    ...['-c', CLIENT_CORE, DNSPERF, '-s', '127.0.0.1', '-p', String(port), '-d', questions],
    ...['-c', String(CLIENTS), ...limits],
  ]);
  const exited = new Promise((resolve) => dnsperf.once('close', resolve));
  const latencies = [];
  const report = [];
  for await (const line of createInterface({ input: dnsperf.stdout })) {
    // The lines for single answers contain rcode, question and seconds.
    if (line.startsWith('> ')) latencies.push(Number(line.slice(line.lastIndexOf(' ') + 1)) * 1e3);
    else report.push(line);
  }
  await exited;
  const text = report.join('\n');
  const number = (label) => Number(new RegExp(`${label}:\\s+([\\d.]+)`).exec(text)?.[1]);
  return {
    perSecond: number('Queries per second'),
    completed: number('Queries completed'),
    lost: number('Queries lost'),
    latency: latencies.length === 0 ? undefined : distribution(latencies),
  };
}
