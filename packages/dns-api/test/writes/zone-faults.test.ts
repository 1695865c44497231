import { describe, expect } from '@jest/globals';
import { rdataToWire, RR_CLASS } from '@zonewright/dns-records';
import { useApi } from '../support/use-api.js';
import { signerEnv } from '../support/use-signer.js';
import { itHolds } from './open-faults.js';
import { A, DS, type PrimaryRecords, refusalOf, useFaultWorld } from './use-fault-world.js';
import { rrOf } from './use-write-platform.js';

// Tests of faults in changes of whole zones: transfers, undo, the order of refusals, and updates that arrive together.

const world = useFaultWorld(await signerEnv());
const { platform, freshName, ask, done, createZone, tryAdd, add, served, serials, transfer } =
  world;
/** An API in which every tenant soon reaches the write limit. */
const spent = useApi({ env: { DNS_API_MAX_WRITE_BYTES_PER_MINUTE: '1024' } });

describe('B. Undo, and data outside of the history', () => {
  itHolds('B6', 'a restore writes no SOA of a primary into a primary zone', async () => {
    const zone = await createZone();
    expect(await transfer(zone, 7, [[`www.${zone.name}`, 'A', '192.0.2.7']])).toBeNull();
    const serial = (await serials(zone)).at(-1);
    expect(await transfer(zone, 8, [[`www.${zone.name}`, 'A', '192.0.2.8']])).toBeNull();
    await done('DELETE', `${zone.path}/primaries`);
    expect(await served(zone)).toEqual(['www A']);
    await ask('POST', `${zone.path}/restore`, { serial, confirm: true });
    expect(await served(zone)).not.toContain('SOA');
  });

  itHolds('B7', 'no DNSSEC records of a primary remain when the primary is removed', async () => {
    const zone = await createZone();
    const { name } = zone;
    // The records are DNSKEY, RRSIG of the NS, NSEC, NSEC3PARAM and CDS.
    const signed: PrimaryRecords = [
      [name, 'TYPE48', '0101030d00'],
      [
        name,
        'TYPE46',
        `00020d020000012c6553f1006553f10012670d${'00'.repeat(8)}`.slice(0, 36) + '00aabb',
      ],
      [name, 'TYPE47', '000006400000000003'],
      [name, 'TYPE51', '0100000000'],
      [name, 'TYPE59', '0000000000'],
    ];
    expect(await transfer(zone, 7, [[`www.${name}`, 'A', '192.0.2.7'], ...signed])).toBeNull();
    await done('DELETE', `${zone.path}/primaries`);
    expect(await served(zone)).toEqual(['www A']);
  });

  itHolds(
    'B9',
    'the serial that is shown can be restored, even after the signer increased it',
    async () => {
      const zone = await createZone();
      await add(zone, 'www', A);
      await done('PUT', `${zone.path}/dnssec`, { enabled: true });
      await platform.signer.run();
      const { serial } = await done('GET', zone.path);
      await add(zone, 'new', A);
      expect((await ask('POST', `${zone.path}/restore`, { serial, confirm: true })).status).toBe(
        200,
      );
      expect(await served(zone)).toEqual(['www A']);
    },
  );

  itHolds(
    'E21',
    'a record with any name of a primary can be edited when the primary is removed',
    async () => {
      const zone = await createZone();
      const name = `two\\032words.${zone.name}`;
      expect(await transfer(zone, 7, [[name, 'A', '192.0.2.7']])).toBeNull();
      await done('DELETE', `${zone.path}/primaries`);
      const [row] = await world.rowsOf(zone);
      const edited = await ask('PUT', `${zone.path}/records/${row?.id}`, { ttl: 60 });
      expect(edited.status).toBe(200);
    },
  );

  itHolds('B10', 'an accepted transfer cannot be reverted by the new owner', async () => {
    const zone = await createZone();
    const { id, key } = await done('POST', `/v2/zones/${zone.id}/tasks/transfer_requests`, {});
    const body = { key, zone_transfer_request_id: id };
    await done('POST', '/v2/zones/tasks/transfer_accepts', body, 'sharer');
    const serial = (await serials(zone, 'sharer')).at(-1);
    const path = `${zone.path}/changes/${serial}/revert`;
    const reverted = await ask('POST', path, undefined, 'sharer');
    expect(refusalOf(reverted)).toEqual({ status: 400, validators: ['revertible'] });
  });
});

describe('C. Order and limits', () => {
  itHolds('C13', 'a dry run of a batch in a secondary zone is refused like the batch', async () => {
    const zone = await createZone();
    expect(await transfer(zone, 7, [])).toBeNull();
    const operations = [{ action: 'create', record: { name: `www.${zone.name}`, ...A } }];
    const paths = [`${zone.path}/batch`, `${zone.path}/batch?dry_run=true`];
    const statuses = await Promise.all(
      paths.map(async (path) => (await ask('POST', path, { operations })).status),
    );
    expect(statuses).toEqual([403, 403]);
  });

  itHolds('C13', 'a dry run of an import is refused, too', async () => {
    const zone = await createZone();
    expect(await transfer(zone, 7, [])).toBeNull();
    const paths = [`${zone.path}/import`, `${zone.path}/import?dry_run=true`];
    const statuses = await Promise.all(
      paths.map(async (path) => (await ask('POST', path, 'www 60 IN A 192.0.2.1\n')).status),
    );
    expect(statuses).toEqual([403, 403]);
  });

  itHolds('C14', 'a secondary zone refuses changes with this reason before any other', async () => {
    const zone = await createZone();
    expect(await transfer(zone, 7, [[`www.${zone.name}`, 'A', '192.0.2.1']])).toBeNull();
    const twin = await tryAdd(zone, 'www', A);
    expect(twin.status).toBe(403);
  });

  itHolds('C14', 'a restore checks the quota before it asks for confirmation', async () => {
    const zone = await createZone();
    const create = (label: string, count: number) =>
      Array.from({ length: count }, (_, at) => {
        return { action: 'create', record: { name: `${label}${at}.${zone.name}`, ...A } };
      });
    const batch = `${zone.path}/batch`;
    const { serial } = await done('POST', batch, { operations: create('a', 20) });
    const removals = (await world.rowsOf(zone)).map(({ id }) => ({ action: 'delete', id }));
    const operations = [...removals, ...create('b', 12)];
    await done('POST', batch, { operations, confirm: true });
    const limit = async (most: number | null) => {
      await platform.db.raw(
        `insert into dns.quotas (tenant_id, max_domain_records) select d.tenant_id, ? from dns.domains as d where d.id = ?
         on conflict (tenant_id) do update set max_domain_records = excluded.max_domain_records`,
        [most, zone.id],
      );
    };
    await limit(15);
    const { status } = await ask('POST', `${zone.path}/restore`, { serial });
    await limit(null);
    expect(status).toBe(413);
  });

  itHolds(
    'C14',
    'a response stored for an Idempotency-Key is returned even if the write limit is exhausted',
    async () => {
      const created = await spent.call('post', '/v1/domains', {
        name: freshName(),
        email: 'a@example.com',
      });
      const { id, name } = created.body as { id: string; name: string };
      const write = (label: string, key: string) =>
        spent
          .call('post', `/v1/domains/${id}/records`, {
            name: `${label}.${name}`,
            type: 'TXT',
            data: 'x'.repeat(20_000),
          })
          .set('Idempotency-Key', key);
      const first = await write('one', 'first');
      expect([first.status, (await write('two', 'second')).status]).toEqual([200, 429]);
      const again = await write('one', 'first');
      expect(again.status).toBe(200);
      expect((again.body as { id: string }).id).toBe((first.body as { id: string }).id);
    },
  );

  itHolds('C15', 'a transfer cannot exceed the limit of octets', async () => {
    const zone = await createZone();
    const records: PrimaryRecords = Array.from({ length: 8 }, (_, n) => [
      ...([`t${n}.${zone.name}`, 'TXT', `"${'x'.repeat(250)}" `.repeat(24).trim()] as const),
    ]);
    expect(await transfer(zone, 7, records)).toEqual(expect.any(String));
    expect(await served(zone)).toEqual([]);
  });
});

describe('D. Secondary children', () => {
  itHolds('D18', 'a child that its primary signs gets its DS in the parent', async () => {
    const parent = await createZone();
    const child = await createZone(`sub.${parent.name}`);
    expect(await transfer(child, 7, [])).toBeNull();
    const made = await tryAdd(parent, 'sub', DS);
    expect(made.status).toBe(200);
    expect(await served(parent)).toEqual(['sub DS']);
  });
});

describe('F. One request of many', () => {
  itHolds('F22', 'ADR 0044: updates that arrive together are applied in order', async () => {
    const zone = await createZone();
    const name = `order.${zone.name}`;
    const text = rdataToWire('TXT', `"${'x'.repeat(250)}" "${'y'.repeat(250)}"`, null);
    const address = rdataToWire('A', '192.0.2.1', null);
    const parts = [
      { authorities: [rrOf(name, 'TXT', { ttl: 60, rdata: text })] },
      {
        answers: [rrOf(name, 'ANY', { class: RR_CLASS.NONE })],
        authorities: [rrOf(name, 'A', { ttl: 60, rdata: address })],
      },
    ];
    const messages = parts.map((each) => ({ who: 'owner', zone: zone.name, parts: each }) as const);
    const codes = (await platform.update(messages)).map(({ rcode }) => rcode);
    expect(codes).toEqual(['NOERROR', 'YXDOMAIN']);
  });

  itHolds(
    'large update',
    'RFC 2136: a message has up to 65,535 octets, and 1,000 updates',
    async () => {
      const zone = await createZone();
      const gone = Array.from({ length: 1_001 }, (_, n) =>
        rrOf(`some-name-${n}.${zone.name}`, 'A', { class: RR_CLASS.ANY }),
      );
      const send = async (authorities: typeof gone) =>
        await platform.update([{ who: 'owner', zone: zone.name, parts: { authorities } }]);
      expect(await send(gone.slice(1))).toMatchObject([{ rcode: 'NOERROR' }]);
      expect(await send(gone)).toMatchObject([{ rcode: 'REFUSED' }]);
    },
  );

  itHolds(
    'prerequisites',
    'RFC 2136 s3.2: a prerequisite includes the records that signing provides',
    async () => {
      const zone = await createZone();
      await done('PUT', `${zone.path}/dnssec`, { enabled: true });
      await platform.signer.run();
      const answers = [rrOf(zone.name, 'DNSKEY', { class: RR_CLASS.ANY })];
      const [updated] = await platform.update([
        { who: 'owner', zone: zone.name, parts: { answers } },
      ]);
      expect(updated?.rcode).toBe('NOERROR');
    },
  );

  itHolds(
    'repeated update',
    'RFC 8945 s5.2.2.1: with its MAC cut short it is the same message',
    async () => {
      const zone = await createZone();
      const name = `again.${zone.name}`;
      const address = rdataToWire('A', '192.0.2.1', null);
      const parts = { authorities: [rrOf(name, 'A', { ttl: 60, rdata: address })] };
      const message = platform.sign({ who: 'owner', zone: zone.name, parts });
      expect(await platform.relay([message])).toMatchObject([{ rcode: 'NOERROR' }]);
      const gone = { authorities: [rrOf(name, 'ANY', { class: RR_CLASS.ANY })] };
      await platform.update([{ who: 'owner', zone: zone.name, parts: gone }]);
      expect(await served(zone)).toEqual([]);
      await platform.relay([cutMac(message, 16)]);
      expect(await served(zone)).toEqual([]);
    },
  );
});

describe('The last request decides', () => {
  itHolds(
    'signing wish',
    'signing that is requested, ended and requested again is done',
    async () => {
      const zone = await createZone();
      await add(zone, 'www', A);
      const path = `${zone.path}/dnssec`;
      await done('PUT', path, { enabled: true });
      await platform.signer.run();
      await done('DELETE', `${path}?force=true`);
      await done('PUT', path, { enabled: true });
      await platform.signer.run();
      const { body } = await ask('GET', path);
      expect(body).toMatchObject({ enabled: true, state: 'signed' });
    },
  );
});

/** Returns the message with a truncated MAC (HMAC-SHA256), which is at its end, before the last six octets. */
function cutMac(message: Uint8Array, octets: number): Uint8Array {
  const [algorithm, times, mac, rest] = ['hmac-sha256.'.length + 1, 8, 32, 6];
  const macAt = message.length - rest - mac;
  const cut = Buffer.concat([
    message.subarray(0, macAt + octets),
    message.subarray(message.length - rest),
  ]);
  cut.writeUInt16BE(octets, macAt - 2);
  cut.writeUInt16BE(algorithm + times + 2 + octets + rest, macAt - 2 - times - algorithm - 2);
  return cut;
}
