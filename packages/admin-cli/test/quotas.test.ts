import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTenant } from '@zonewright/accounts';
import { useInstallation } from './run-command.js';

const installation = useInstallation();

beforeAll(async () => {
  await createTenant(installation.db, { name: 'acme', id: '100' });
});

describe('quota', () => {
  it('D-ZONE-36: a tenant has the default limits until it has its own', async () => {
    expect(await installation.json('quota show acme')).toEqual({
      tenantId: '100',
      tenantName: 'acme',
      maxDomains: null,
      maxDomainRecords: null,
      maxDomainRecordsets: null,
      maxRecordsetRecords: null,
      maxExportRecords: null,
      maxWriteOctets: null,
      mxTargetCheck: null,
    });
    expect(await installation.json('quota list')).toEqual([]);
  });

  it('set changes the given limits and keeps the others', async () => {
    await installation.run('quota set acme --max-domains 100 --max-records 5000');
    expect(await installation.json('quota set 100 --max-domains 0')).toMatchObject({
      maxDomains: 0,
      maxDomainRecords: 5000,
    });
    expect(await installation.json('quota set acme --max-records default')).toMatchObject({
      maxDomains: 0,
      maxDomainRecords: null,
    });
    expect(await installation.select('select * from dns.quotas')).toEqual([
      {
        tenant_id: '100',
        max_domains: 0,
        max_domain_records: null,
        max_recordset_records: null,
        max_export_records: null,
        max_domain_recordsets: null,
        max_write_octets: null,
        mx_target_check: null,
      },
    ]);
  });

  it('set --max-write-bytes limits the bytes that a tenant may write each minute', async () => {
    expect(await installation.json('quota set acme --max-write-bytes 50000000')).toMatchObject({
      maxDomains: 0,
      maxWriteOctets: 50_000_000,
    });
    expect((await installation.run('quota set acme --max-write-bytes 1023')).exitCode).toBe(2);
    expect(await installation.json('quota set acme --max-write-bytes default')).toMatchObject({
      maxWriteOctets: null,
    });
  });

  it('shows limits that follow the service as "default"', async () => {
    const { stdout } = await installation.run('quota list');
    expect(stdout.replaceAll(/ +/g, ' ')).toContain('acme 0 default default default\n');
  });

  it('D-REC-37: the tenant has its own rule, or the default after a reset', async () => {
    for (const rule of ['off', 'strict', 'hosted']) {
      expect(await installation.json(`quota set acme --mx-target-check ${rule}`)).toMatchObject({
        maxDomains: 0,
        mxTargetCheck: rule,
      });
    }
    expect(await installation.json('quota set acme --max-records 7')).toMatchObject({
      mxTargetCheck: 'hosted',
    });
    expect(await installation.json('quota set acme --mx-target-check default')).toMatchObject({
      mxTargetCheck: null,
    });
    expect((await installation.run('quota set acme --mx-target-check none')).exitCode).toBe(2);
  });

  it('clear restores the defaults', async () => {
    expect(await installation.json('quota clear acme')).toMatchObject({ maxDomains: null });
    expect(await installation.select('select * from dns.quotas')).toEqual([]);
  });

  it.each(['-1', '1.5', 'many', '2147483648'])('refuses a limit of %s', async (limit) => {
    const { exitCode } = await installation.run(`quota set acme --max-domains=${limit}`);
    expect(exitCode).toBe(2);
  });

  it('ends with 3 for a tenant that does not exist', async () => {
    expect((await installation.run('quota set nowhere --max-domains 1')).exitCode).toBe(3);
  });
});
