import { beforeAll, describe, expect, it } from '@jest/globals';
import { checkSecondaries } from '../src/doctor/check-publication.js';
import type { Examination } from '../src/doctor/finding.js';
import { useInstallation } from './run-command.js';

const installation = useInstallation();
const PEER = '0f8a5a3e-5d0e-4f57-9c8e-8a9f6f4b6a11';

beforeAll(async () => {
  await installation.db.raw(`
    insert into dns.domains (id, tenant_id, name, email, ttl, serial, apex_version) values
      ('10000000-0000-4000-8000-000000000001', '100', 'own.example.', 'a@b.example', 300, 20, 1),
      ('10000000-0000-4000-8000-000000000002', '100', 'theirs.example.', 'a@b.example', 300, 20, 1);
    update dns.domains set apex_version = 2147483646 where name = 'theirs.example.';
    insert into dns.peers (id, tenant_id, name, all_domains, has_catalog, key_name, key_algorithm, secret_sealed, secret_key_id)
    values ('${PEER}', '100', 'ours', true, false, 'peer.', 'hmac-sha256', '', 'k');
    insert into dns.peer_status (peer_id, domain_id, serial, notified_serial, notify_answer) values
      ('${PEER}', '10000000-0000-4000-8000-000000000001', 19, 20, 'REFUSED'),
      ('${PEER}', '10000000-0000-4000-8000-000000000002', 7, 7, 'NOERROR');
    insert into dns.secondaries (domain_id, primaries, serial, failures, problem, next_at) values
      ('10000000-0000-4000-8000-000000000002', '[{"address": "192.0.2.1", "port": 53}]', 7, 3, '192.0.2.1: it broke off',
       now() + interval '1 hour');
  `);
});

describe('peer', () => {
  it('list shows how many domains each peer has in an old version, also of domains with primaries', async () => {
    const [peer] = await installation.json<Record<string, unknown>[]>('peer list --behind');
    expect(peer).toMatchObject({ id: PEER, tenantId: '100', name: 'ours', zones: 2, behind: 1 });
  });

  it('show lists the domains of one peer', async () => {
    expect(await installation.json(`peer show ${PEER}`)).toMatchObject([
      { name: 'own.example.', serial: 20, taken: 19, notifyAnswer: 'REFUSED' },
      { name: 'theirs.example.', serial: 7, taken: 7, notifyAnswer: 'NOERROR' },
    ]);
    for (const id of ['x', '0f8a5a3e-5d0e-4f57-9c8e-8a9f6f4b6a12']) {
      expect((await installation.run(`peer show ${id}`)).exitCode).not.toBe(0);
    }
  });
});

describe('doctor', () => {
  it('names the record or key that prevents the transfer of a domain', async () => {
    const problem = 'the key peer. was refused from 192.0.2.9';
    const change = (to: string) =>
      installation.db.raw(
        `update dns.peer_status set problem = ${to} where domain_id = '10000000-0000-4000-8000-000000000001'`,
      );
    await change(`'${problem}'`);
    const findings = await checkSecondaries({ db: installation.db } as unknown as Examination);
    await change('null');
    const [refused] = findings.filter((each) => each.finding.includes('because of this service'));
    expect(refused?.finding).toContain(`ours (own.example.): ${problem}`);
  });
});

describe('peer retry', () => {
  it('changes the peer, so that nameservers try again', async () => {
    const changedAt = 'select updated_at from dns.peers';
    const before = await installation.select(changedAt);
    expect((await installation.run(`peer retry ${PEER}`)).exitCode).toBe(0);
    expect(await installation.select(changedAt)).not.toEqual(before);
    for (const id of ['x', '0f8a5a3e-5d0e-4f57-9c8e-8a9f6f4b6a12']) {
      expect((await installation.run(`peer retry ${id}`)).exitCode).not.toBe(0);
    }
  });
});

describe('primary', () => {
  it('list shows the domains that have primaries, and their problems', async () => {
    expect(await installation.json('primary list --failing')).toMatchObject([
      { name: 'theirs.example.', state: 'withheld', serial: 7, problem: '192.0.2.1: it broke off' },
    ]);
  });

  it('retry queries the primaries at once', async () => {
    expect((await installation.run('primary retry theirs.example')).exitCode).toBe(0);
    expect(
      await installation.select('select next_at <= now() as due from dns.secondaries'),
    ).toEqual([{ due: true }]);
    expect((await installation.run('primary retry own.example.')).exitCode).not.toBe(0);
  });
});
