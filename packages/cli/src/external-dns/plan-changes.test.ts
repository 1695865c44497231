import { describe, expect, it } from '@jest/globals';
import type { ZoneRecord } from '@zonewright/client';
import {
  type Endpoint,
  planChanges,
  readChanges,
  toEndpoints,
  withoutRefused,
} from './plan-changes.js';

function record(name: string, type: string, data: string, more: Partial<ZoneRecord> = {}) {
  const id = `${name} ${type} ${data}`;
  return { id, name, type, data, ttl: null, priority: null, version: 1, ...more } as ZoneRecord;
}

const endpoint = (dnsName: string, recordType: string, ...targets: string[]): Endpoint => ({
  dnsName,
  recordType,
  targets,
});

const here = [
  record('www.example.com.', 'A', '192.0.2.1'),
  record('www.example.com.', 'A', '192.0.2.2'),
  record('www.example.com.', 'TXT', '"owner"'),
  record('old.example.com.', 'CNAME', 'www.example.com.'),
];

const plan = (body: unknown) =>
  planChanges(here, readChanges(body)).map((operation) =>
    'record' in operation
      ? `${operation.action} ${operation.record.name} ${operation.record.data}`
      : `${operation.action} ${operation.id}`,
  );

describe('what external-dns wants, as operations', () => {
  it('shows names without a trailing dot, priorities before targets, and existing TTLs', () => {
    const mail = record('example.com.', 'MX', 'mx.example.com.', { priority: 10, ttl: 60 });
    const moved = record('moved.example.com.', 'DNAME', 'example.net.');
    expect(toEndpoints([...here, mail, moved])).toEqual([
      endpoint('www.example.com', 'A', '192.0.2.1', '192.0.2.2'),
      endpoint('www.example.com', 'TXT', '"owner"'),
      endpoint('old.example.com', 'CNAME', 'www.example.com'),
      { ...endpoint('example.com', 'MX', '10 mx.example.com'), recordTTL: 60 },
      endpoint('moved.example.com', 'DNAME', 'example.net'),
    ]);
  });

  it.each<[string, object, string[]]>([
    ['nothing', {}, []],
    ['empty lists, as Go writes them', { create: null, Delete: null }, []],
    [
      'records that already exist',
      { create: [endpoint('WWW.example.com', 'A', '192.0.2.2', '192.0.2.1')] },
      [],
    ],
    [
      'records that are already deleted',
      { delete: [endpoint('gone.example.com', 'A', '192.0.2.9')] },
      [],
    ],
    [
      'another address, beside a foreign one',
      {
        updateOld: [endpoint('www.example.com', 'A', '192.0.2.1')],
        updateNew: [endpoint('www.example.com', 'A', '192.0.2.3')],
      },
      ['update www.example.com. 192.0.2.3'],
    ],
    [
      'a DNAME, whose target has a dot here',
      { create: [endpoint('moved.example.com', 'DNAME', 'example.net')] },
      ['create moved.example.com. example.net.'],
    ],
    [
      'an address in place of an alias: the alias is deleted first',
      {
        Create: [endpoint('old.example.com', 'A', '192.0.2.4')],
        Delete: [endpoint('old.example.com', 'CNAME', 'www.example.com')],
      },
      ['delete old.example.com. CNAME www.example.com.', 'create old.example.com. 192.0.2.4'],
    ],
    [
      'priorities separate from targets',
      { create: [endpoint('example.com', 'MX', '5 mx.example.net')] },
      ['create example.com. mx.example.net.'],
    ],
  ])('%s', (_what, body, operations) => {
    expect(plan(body)).toEqual(operations);
  });

  it.each([{ create: {} }, { create: [{}] }, { delete: [{ dnsName: 'a', recordType: 'A' }] }])(
    'refuses %j',
    (body) => {
      expect(() => readChanges(body)).toThrow(/not a list of endpoints/);
    },
  );
});

describe('withoutRefused', () => {
  const operations = planChanges(
    here,
    readChanges({
      delete: [endpoint('old.example.com', 'CNAME', 'www.example.com')],
      create: [
        endpoint('old.example.com', 'A', 'nonsense'),
        endpoint('new.example.com', 'A', '192.0.2.9'),
      ],
    }),
  );
  const refusal = (path: string, status = 400) => ({
    status,
    problems: [{ path, validator: 'format', message: 'wrong' }],
  });
  const left = (path: string, status?: number) =>
    withoutRefused(operations, here, refusal(path, status));

  it('leaves out everything at a name of which one record is refused', () => {
    const at = operations.findIndex((each) => 'record' in each && each.record.data === 'nonsense');
    expect(left(`operations[${at}].record.data`)).toMatchObject([
      { action: 'create', record: { name: 'new.example.com.' } },
    ]);
    expect(operations).toHaveLength(3);
  });

  it('leaves out nothing if the error is not about single records', () => {
    expect(left('confirm')).toEqual(operations);
    expect(left('operations[0].record.data', 409)).toEqual(operations);
  });
});
