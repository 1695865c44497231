import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Test } from 'supertest';
import type { Operation } from '../../src/http/operation.js';
import {
  createDomain,
  createRecord,
  type DomainBody,
  freshName,
  readDomain,
  type RecordBody,
} from './fixtures.js';
import type { Api } from './use-api.js';

/** Provides a valid request for each operation that changes something, and prepares the objects that it needs. */
export function useSoundWrites(api: Api) {
  let zone: DomainBody;
  let deleted: DomainBody;
  let record: RecordBody;
  let recordsetId: string;
  let firstSerial: number;
  /** The values of the other parameters in paths. */
  let ids: Readonly<Record<string, string>> = {};
  let offerKey = '';

  async function prepare(operation?: Operation): Promise<void> {
    // A rule for top-level names would limit the names of all other zones.
    await api.db.raw('delete from dns.name_rules');
    zone = await createDomain(api);
    firstSerial = zone.serial;
    record = await createRecord(api, zone.id, newRecord('www'));
    const recordsets = await api.call('get', `/v2/zones/${zone.id}/recordsets?name=${record.name}`);
    recordsetId = (recordsets.body as { recordsets: { id: string }[] }).recordsets[0]?.id ?? '';
    // Without this change there would be nothing to reset.
    await api.callAs('token-operator', 'patch', '/v2/quotas/tenant-c', { zones: 500 }).expect(200);
    deleted = await createDomain(api);
    await api.call('delete', `/v1/domains/${deleted.id}`).expect(200);
    ids = (await PREPARED[operation?.name ?? '']?.()) ?? {};
  }

  const newRecord = (label: string) => ({
    name: `${label}.${zone.name}`,
    type: 'A',
    data: '192.0.2.1',
  });

  const POOL = '794ccc2c-d751-44fe-b57f-8894c9f5c842';
  const newTsigKey = () => ({
    name: freshName(),
    algorithm: 'hmac-sha256',
    secret: Buffer.alloc(32, 7).toString('base64'),
    scope: 'POOL',
    resource_id: POOL,
  });
  const zoneFile = () => {
    const name = freshName();
    return `$ORIGIN ${name}\n@ 3600 IN SOA ns1.example.org. admin.example.com. 1 2 3 4 5\nwww 300 IN A 192.0.2.1\n`;
  };

  async function make(path: string, body: object | string = {}, token = 'token-a') {
    const response = await sendBody(api.callAs(token, 'post', path), body);
    expect(response.status).toBeLessThan(300);
    return response.body as { id: string; key?: string };
  }
  const sendBody = (call: Test, body: object | string | undefined) =>
    typeof body === 'string' ? call.set('Content-Type', 'text/dns').send(body) : call.send(body);

  const makeRule = (plural: string, body: object) => async () => ({
    ruleId: (await make(`/v2/${plural}`, body, 'token-operator')).id,
  });
  const makeTsigKey = async () => ({
    tsigkey_id: (await make('/v2/tsigkeys', newTsigKey(), 'token-operator')).id,
  });
  const makePeer = async () => ({ peerId: (await make('/v1/peers', { name: 'ours' })).id });
  const PRIMARIES = { primaries: [{ address: '192.0.2.1' }], key: null };
  async function makeEmpty() {
    await api.call('delete', `/v1/domains/${zone.id}/records/${record.id}`).expect(200);
    return {};
  }
  async function makeSecondary() {
    await makeEmpty();
    await api.call('put', `/v1/domains/${zone.id}/primaries`, PRIMARIES).expect(200);
    return {};
  }
  async function askForSigning() {
    await api.call('put', `/v1/domains/${zone.id}/dnssec`, { enabled: true }).expect(200);
    return {};
  }
  async function makeOffer() {
    const offer = await make(`/v2/zones/${zone.id}/tasks/transfer_requests`);
    offerKey = offer.key ?? '';
    return { transfer_request_id: offer.id };
  }

  /** Prepares an operation's objects, and returns their ids as in the path. */
  const PREPARED: Readonly<Record<string, () => Promise<Readonly<Record<string, string>>>>> = {
    'Revert a Change': async () => ({ serial: String((await readDomain(api, zone.id)).serial) }),
    'Delete Zone Export (v2)': async () => ({
      export_id: (await make(`/v2/zones/${zone.id}/tasks/export`)).id,
    }),
    'Delete Zone Import (v2)': async () => ({
      import_id: (await make('/v2/zones/tasks/imports', zoneFile())).id,
    }),
    'Update Zone Transfer Request (v2)': makeOffer,
    'Delete Zone Transfer Request (v2)': makeOffer,
    'Accept Zone Transfer (v2)': makeOffer,
    'Unshare Zone (v2)': async () => ({
      zone_share_id: (await make(`/v2/zones/${zone.id}/shares`, { target_project_id: 'tenant-b' }))
        .id,
    }),
    'Update Tld (v2)': makeRule('tlds', { name: 'example' }),
    'Delete Tld (v2)': makeRule('tlds', { name: 'example' }),
    'Update Blacklist (v2)': makeRule('blacklists', { pattern: '^bad' }),
    'Delete Blacklist (v2)': makeRule('blacklists', { pattern: '^bad' }),
    'Update TSIG Key (v2)': makeTsigKey,
    'Delete TSIG Key (v2)': makeTsigKey,
    'Set Primaries of a Domain': makeEmpty,
    'Delete Primaries of a Domain': makeSecondary,
    'Ask the Primaries of a Domain': makeSecondary,
    'Transfer Zone In (v2)': makeSecondary,
    'Update Peer': makePeer,
    'Delete Peer': makePeer,
    'Disable DNSSEC for a Domain': askForSigning,
    'Replace the Key of a Domain': async () => {
      await askForSigning();
      await api.db.raw(
        `update dns.zone_dnssec as z set state = 'signed', signed_serial = d.serial
           from dns.domains as d where d.id = z.domain_id and d.id = ?`,
        [zone.id],
      );
      return {};
    },
  };

  /** The body of a valid request for each write. */
  const BODIES: Readonly<Record<string, () => object | string | undefined>> = {
    'Create Domain': () => ({ name: freshName(), email: 'a@example.com' }),
    'Update Domain': () => ({ ttl: 60 }),
    'Delete Domain': () => undefined,
    'Create Record': () => newRecord('new'),
    'Update Record': () => ({ ttl: 60 }),
    'Delete Record': () => undefined,
    'Change Records in a Batch': () => ({
      operations: [
        { action: 'create', record: newRecord('batch') },
        { action: 'delete', id: record.id },
      ],
    }),
    'Restore a Domain': () => ({ serial: firstSerial }),
    'Undelete a Domain': () => undefined,
    'Revert a Change': () => undefined,
    'Import a Zone File': () => ({ zonefile: 'imported 60 IN A 192.0.2.7\n' }),
    'Import a Zone File as a New Domain': () => ({
      zonefile: 'imported 60 IN A 192.0.2.7\n',
      name: freshName(),
      email: 'a@example.com',
    }),
    'Enable DNSSEC for a Domain': () => ({ enabled: true }),
    'Disable DNSSEC for a Domain': () => undefined,
    'Replace the Key of a Domain': () => undefined,
    'Set Primaries of a Domain': () => PRIMARIES,
    'Delete Primaries of a Domain': () => undefined,
    'Ask the Primaries of a Domain': () => undefined,
    'Transfer Zone In (v2)': () => undefined,
    'Create Peer': () => ({ name: 'ours', domains: [zone.id] }),
    'Update Peer': () => ({ name: 'yours' }),
    'Delete Peer': () => undefined,
    'Create Zone (v2)': () => ({ name: freshName(), email: 'a@example.com' }),
    'Update Zone (v2)': () => ({ ttl: 60 }),
    'Delete Zone (v2)': () => undefined,
    'Create Recordset (v2)': () => ({
      name: `new.${zone.name}`,
      type: 'A',
      records: ['192.0.2.1', '192.0.2.2'],
    }),
    'Update Recordset (v2)': () => ({ records: ['192.0.2.2'] }),
    'Delete Recordset (v2)': () => undefined,
    'Set Quotas of a Project (v2)': () => ({ zones: 7 }),
    'Reset Quotas of a Project (v2)': () => undefined,
    'Create Zone Export (v2)': () => undefined,
    'Delete Zone Export (v2)': () => undefined,
    'Create Zone Import (v2)': zoneFile,
    'Delete Zone Import (v2)': () => undefined,
    'Create Zone Transfer Request (v2)': () => ({ description: 'moving' }),
    'Update Zone Transfer Request (v2)': () => ({ description: 'moved' }),
    'Delete Zone Transfer Request (v2)': () => undefined,
    'Accept Zone Transfer (v2)': () => ({
      key: offerKey,
      zone_transfer_request_id: ids['transfer_request_id'],
    }),
    'Share Zone (v2)': () => ({ target_project_id: 'tenant-b' }),
    'Unshare Zone (v2)': () => undefined,
    'Create Tld (v2)': () => ({ name: 'example' }),
    'Update Tld (v2)': () => ({ description: 'known' }),
    'Delete Tld (v2)': () => undefined,
    'Create Blacklist (v2)': () => ({ pattern: '^bad' }),
    'Update Blacklist (v2)': () => ({ description: 'known' }),
    'Delete Blacklist (v2)': () => undefined,
    'Create TSIG Key (v2)': newTsigKey,
    'Update TSIG Key (v2)': () => ({ name: 'renamed' }),
    'Delete TSIG Key (v2)': () => undefined,
  };

  function send(
    operation: Operation,
    query: string,
    body: object | string | undefined,
    { at = api, isThere = true }: { at?: Pick<Api, 'callAs'>; isThere?: boolean } = {},
  ) {
    const { id } = operation.name === 'Undelete a Domain' ? deleted : zone;
    const path = (
      isThere ? operation.path : operation.path.replaceAll(/\{\w+\}/g, () => randomUUID())
    )
      .replace(/\{(domainId|zone_id)\}/, id)
      .replace('{recordId}', record.id)
      .replace('{recordset_id}', recordsetId)
      .replace('{project_id}', 'tenant-c')
      .replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? ids['ruleId'] ?? '');
    const method = operation.method.toLowerCase() as Lowercase<Operation['method']>;
    const receives = operation.name.startsWith('Accept');
    const token =
      operation.access === 'tenant' ? (receives ? 'token-b' : 'token-a') : 'token-operator';
    return sendBody(at.callAs(token, method, `${path}${query}`), body);
  }

  return {
    names: Object.keys(BODIES),
    bodyOf: (operation: Operation) => BODIES[operation.name]?.(),
    prepare,
    newRecord,
    send,
    get zone() {
      return zone;
    },
  };
}
