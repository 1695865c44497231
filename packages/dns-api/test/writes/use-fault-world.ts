import { afterAll, beforeAll } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import { record, ScriptedPrimary, soa } from '../support/scripted-primary.js';
import type { signerEnv } from '../support/use-signer.js';
import { type Answer, type Method, useWritePlatform, type Who } from './use-write-platform.js';
import { readRows } from './zone-state.js';

/** Limits that a test reaches quickly. */
const BOUNDS = { DNS_API_MAX_DOMAIN_RECORDS: '30', DNS_API_MAX_DOMAIN_OCTETS: '2048' };
/** The maximum number of octets of a domain's data. */
export const MOST_OCTETS = 2_048 + 30 * 1_024;

export const A = { type: 'A', data: '192.0.2.1' };
export const NS = { type: 'NS', data: 'ns.example.net.' };
export const DS = {
  type: 'DS',
  data: '4711 13 2 2BB183AF5F22588179A53B0A98631FAD1A292118A2BB183AF5F22588179A53B0',
};
export const OFF = { disabled: true };
export const ON = { disabled: false };

export interface Zone {
  readonly id: string;
  readonly name: string;
  readonly path: string;
}

export type PrimaryRecords = Parameters<typeof record>[];

interface Done {
  readonly id: string;
  readonly serial: number;
  readonly key: string;
}

/**
 * The platform with the common parts of the tests of its faults: zones, records, and a primary with scripted responses.
 */
export function useFaultWorld(signing: Awaited<ReturnType<typeof signerEnv>>) {
  const platform = useWritePlatform(signing, BOUNDS);
  const primary = new ScriptedPrimary();
  let place = { address: '', port: 0 };
  let made = 0;
  beforeAll(async () => {
    place = await primary.start();
  });
  afterAll(() => {
    primary.stop();
  });

  const freshName = () => `fault-${(made += 1)}.example.`;
  /** Sends a request, and repeats it after a 503, which a busy machine may return. */
  async function ask(method: Method, path: string, body?: object | string, who: Who = 'owner') {
    return await waitFor(async () => {
      const answer = await platform.call(who, method, path, body);
      return answer.status !== 503 && answer;
    });
  }

  /** Makes a change that must succeed before the test reaches its fault. */
  async function done(method: Method, path: string, body?: object | string, who: Who = 'owner') {
    const answer = await ask(method, path, body, who);
    if (answer.status < 300) return answer.body as Done;
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }

  async function createZone(name = freshName()): Promise<Zone> {
    const { id } = await done('POST', '/v1/domains', { name, email: 'admin@example.com' });
    return { id, name, path: `/v1/domains/${id}` };
  }

  const nameIn = ({ name }: Zone, label: string) => (label === '' ? name : `${label}.${name}`);
  const records = ({ path }: Zone) => `${path}/records?all_types=true`;
  const tryAdd = (zone: Zone, label: string, members: object) =>
    ask('POST', records(zone), { name: nameIn(zone, label), ...members });
  const add = (zone: Zone, label: string, members: object) =>
    done('POST', records(zone), { name: nameIn(zone, label), ...members });
  const change = ({ path }: Zone, id: string, members: object) =>
    ask('PUT', `${path}/records/${id}?all_types=true&extended=true`, members);
  /** @returns the path of the new recordset */
  async function addSet(zone: Zone, label: string, texts: readonly string[]): Promise<string> {
    const path = `/v2/zones/${zone.id}/recordsets`;
    const body = { name: nameIn(zone, label), type: 'A', records: texts };
    return `${path}/${(await done('POST', path, body)).id}`;
  }

  async function rowsOf({ id }: Zone) {
    return await readRows(platform.db, id);
  }

  /** Returns labels and types of the served records. */
  async function served(zone: Zone): Promise<string[]> {
    const labelOf = (name: string) => name.slice(0, -zone.name.length - 1);
    return (await rowsOf(zone))
      .filter(({ isOff }) => !isOff)
      .map(({ name, type }) => `${labelOf(name)} ${type}`.trim());
  }

  /** Returns the serials of the zone's history, oldest first. */
  async function serials({ path }: Zone, who: Who = 'owner'): Promise<number[]> {
    const { body } = await ask('GET', `${path}/changes?limit=1000`, undefined, who);
    const { changes } = body as { changes: { serial_after: number }[] };
    return [...new Set(changes.map(({ serial_after: serial }) => serial))].reverse();
  }

  /** Gives the primary these records. @returns the problem of the transfer, or null if it succeeded */
  async function transfer(
    { name, path }: Zone,
    serial: number,
    others: PrimaryRecords,
  ): Promise<string | null> {
    const ns = record(name, 'NS', 'ns.elsewhere.example.');
    const end = soa(name, serial);
    const whole = [end, ns, ...others.map((each) => record(...each)), end];
    primary.script = (type) => [type === 'SOA' ? [end] : whole];
    const primaries = `${path}/primaries`;
    const isKnown = (await ask('GET', primaries)).status === 200;
    if (isKnown) await done('POST', `${primaries}/refresh`);
    else await done('PUT', primaries, { primaries: [place] });
    let problem: string | null = null;
    await waitFor(async () => {
      const { body } = await ask('GET', primaries);
      const state = body as { serial: number | null; problem: string | null };
      ({ problem } = state);
      return state.serial === serial || problem !== null;
    });
    return problem;
  }

  return {
    platform,
    ...{ freshName, ask, done, createZone, tryAdd, add, change, addSet },
    ...{ rowsOf, served, serials, transfer },
    get place() {
      return place;
    },
  };
}

export function validatorsOf({ body }: Pick<Answer, 'body'>): string[] {
  const { errors = [] } = body as { errors?: readonly { validator: string }[] };
  return errors.map(({ validator }) => validator);
}

export function refusalOf(answer: Pick<Answer, 'status' | 'body'>) {
  return { status: answer.status, validators: validatorsOf(answer) };
}
