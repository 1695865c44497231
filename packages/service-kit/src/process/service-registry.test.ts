import { describe, expect, it } from '@jest/globals';
import { Counter, Histogram } from 'prom-client';
import { ServiceRegistry } from './service-registry.js';

const manifest = new URL('../../package.json', import.meta.url);

function makeRegistry(): ServiceRegistry {
  const registry = new ServiceRegistry({
    service: 'cook',
    manifest,
    mostConnections: () => 7,
    refusals: () => new Map([['53100', 1_700_000_000_000]]),
  });
  const registers = [registry];
  new Counter({
    name: 'zonewright_cook_eggs_total',
    help: 'Eggs boiled.',
    labelNames: ['size'],
    registers,
  }).inc({ size: 'zonewright_cook_' }, 3);
  new Histogram({
    name: 'zonewright_cook_boil_duration_seconds',
    help: 'How long.',
    buckets: [1],
    registers,
  }).observe(0.5);
  return registry;
}

describe('ServiceRegistry', () => {
  it('shows the build, and the connections to PostgreSQL', async () => {
    expect(await makeRegistry().metrics()).toMatch(/^zonewright_database_connections_max 7$/m);
    expect(await makeRegistry().metrics()).toMatch(
      /^zonewright_database_refused_timestamp_seconds\{sqlstate="53100"\} 1700000000$/m,
    );
    expect(await makeRegistry().metrics()).toMatch(
      /^zonewright_build_info\{service="cook",version="\d+\.\d+\.\d+",node="\d+\.\d+\.\d+"\} 1$/m,
    );
  });

  it('names each metric once, so that Prometheus accepts all of them', async () => {
    const text = await makeRegistry().metrics();
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(names).toEqual([...new Set(names)]);
  });
});
