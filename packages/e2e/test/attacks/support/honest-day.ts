import { RR_CLASS } from '@zonewright/dns-records';
import { sendQuery, waitFor } from '@zonewright/testkit';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunningPlatform } from '../../support/running-platform.js';
import {
  rcodeNameOf,
  sendTcp,
  signUpdate,
  updateRecord,
  withData,
} from '../../support/update-client.js';
import type { HonestPrimary } from './honest-primary.js';
import type { SettledTenant } from './settle-tenants.js';

/** Actions of an honest tenant, one after the other. */
const DEEDS = ['read', 'write', 'update', 'query', 'console', 'log-in'] as const;
type Deed = (typeof DEEDS)[number];

const PAUSE_MS = 80;
/** Number of rounds between logins, which are the most expensive action. */
const ROUNDS_OF_LOG_IN = 8;
const SEEN_WITHIN_MS = 30_000;
const NOTIFY_PAUSE_MS = 500;

/** Actions of all tenants, and their durations. */
export class HonestDay {
  readonly times = new Map<string, number[]>();
  /** Actions that failed. */
  readonly refusals: string[] = [];
  readonly #platform: RunningPlatform;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(platform: RunningPlatform) {
    this.#platform = platform;
  }

  /** Acts until the end time. */
  async live(
    tenants: readonly SettledTenant[],
    primary: HonestPrimary,
    until: number,
  ): Promise<void> {
    await Promise.all([
      ...tenants.map((tenant, at) => this.#live(tenant, at, until)),
      this.#change(primary, until),
    ]);
    this.#agent.destroy();
  }

  p99(deed: string): number {
    const sorted = (this.times.get(deed) ?? []).toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  }

  async #live(tenant: SettledTenant, at: number, until: number): Promise<void> {
    for (let round = at; Date.now() < until; round += 1) {
      for (const deed of DEEDS) {
        if (deed === 'log-in' && round % ROUNDS_OF_LOG_IN !== 0) continue;
        await this.#measure(deed, () => this.#do(deed, tenant, round));
        await delay(PAUSE_MS);
      }
    }
  }

  async #change(primary: HonestPrimary, until: number): Promise<void> {
    while (Date.now() < until) {
      await this.#measure('transfer', async () => {
        await primary.notify(this.#platform.nameserver);
        await waitFor(async () => {
          const { answers } = await this.#query(primary.zone, 'SOA');
          const [soa] = answers as readonly { data?: { serial?: number } }[];
          return soa?.data?.serial === primary.serial;
        }, SEEN_WITHIN_MS);
        return 'NOERROR';
      });
      await delay(NOTIFY_PAUSE_MS);
    }
  }

  async #measure(deed: string, work: () => Promise<string | number>): Promise<void> {
    const startedAt = performance.now();
    const outcome = await work().catch(String);
    const times = this.times.get(deed) ?? [];
    times.push(performance.now() - startedAt);
    this.times.set(deed, times);
    if (outcome !== 200 && outcome !== 'NOERROR') this.refusals.push(`${deed}: ${outcome}`);
  }

  async #do(deed: Deed, tenant: SettledTenant, round: number): Promise<string | number> {
    const { zone, recordId, tenantId, token, cookie, username, password } = tenant;
    const { ports } = this.#platform;
    switch (deed) {
      case 'read':
        return await this.#send(ports.dns, 'GET', `/v1/domains/${zone.id}/records`, { token });
      case 'write': {
        const path = `/v1/domains/${zone.id}/records/${recordId}`;
        return await this.#send(ports.dns, 'PUT', path, { token, body: { ttl: 60 + round } });
      }
      case 'update':
        return await this.#update(tenant, round);
      case 'query':
        return (await this.#query(`www.${zone.name}`, 'A')).rcode;
      case 'console':
        return await this.#send(ports.console, 'GET', `/api/${tenantId}/dns/v1/domains`, {
          cookie,
        });
      case 'log-in':
        return await this.#send(ports.console, 'POST', '/session', {
          body: { username, password },
        });
    }
  }

  /** Measures the response, and separately the time until the nameserver answers with the change. */
  async #update({ zone, key }: SettledTenant, round: number): Promise<string> {
    const name = `now.${zone.name}`;
    const data = `192.0.2.${round % 250}`;
    const signed = signUpdate(zone.name, key, {
      authorities: [
        updateRecord(name, 'A', { class: RR_CLASS.ANY }),
        withData(name, 'A', data, 60),
      ],
    });
    const answer = await sendTcp(this.#platform.nameserver, signed.message, SEEN_WITHIN_MS);
    if (answer === undefined) return 'no answer';
    const rcode = rcodeNameOf(answer, key, signed.mac);
    if (rcode === 'NOERROR') {
      await this.#measure('publication', async () => {
        await waitFor(async () => {
          const { answers } = await this.#query(name, 'A');
          return answers.some((each) => 'data' in each && each.data === data);
        }, SEEN_WITHIN_MS);
        return rcode;
      });
    }
    return rcode;
  }

  async #query(name: string, type: 'A' | 'SOA') {
    return await sendQuery(this.#platform.nameserver, name, type, { timeoutMs: SEEN_WITHIN_MS });
  }

  async #send(
    port: number,
    method: string,
    path: string,
    { token, cookie, body }: { token?: string; cookie?: string; body?: object },
  ): Promise<string | number> {
    const headers = {
      'sec-fetch-site': 'same-origin',
      ...(token === undefined ? {} : { 'x-auth-token': token }),
      ...(cookie === undefined ? {} : { cookie }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    return await new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port, method, path, headers, agent: this.#agent };
      const sent = request(options, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => {
          const { statusCode = 0 } = response;
          resolve(statusCode === 200 ? 200 : `${statusCode} ${text.slice(0, 200)}`);
        });
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}
