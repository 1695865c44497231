import { describe, expect, it } from '@jest/globals';
import { useInstallation } from './run-command.js';

const installation = useInstallation();

describe('account-domain', () => {
  it('create makes an enabled account domain with an id of 32 hexadecimal digits (D-ID-2)', async () => {
    const domain = await installation.json('account-domain create "Acme Ltd"');
    expect(domain).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      name: 'Acme Ltd',
      status: 'enabled',
      statusCode: null,
    });
  });

  it('create --id keeps the given id (D-ID-2)', async () => {
    const domain = await installation.json('account-domain create Moved --id 98765432109876');
    expect(domain).toMatchObject({ id: '98765432109876', name: 'Moved' });
    expect(await installation.json('account-domain show Moved')).toEqual(domain);
    expect(await installation.json('account-domain show 98765432109876')).toEqual(domain);
  });

  it.each([
    [
      'name',
      'account-domain create "Acme Ltd"',
      'an account domain named "Acme Ltd" already exists',
    ],
    [
      'id',
      'account-domain create Other --id 98765432109876',
      'an account domain with the id "98765432109876" already exists',
    ],
  ])('create refuses an existing %s', async (_what, command, sentence) => {
    expect(await installation.run(command)).toEqual({
      exitCode: 4,
      stdout: '',
      stderr: `zonewright-admin: ${sentence}\n`,
    });
  });

  it('suspend --code sets the number in "suspended:<n>" (Identity s2, domainStatus), enable clears it', async () => {
    expect(await installation.json('account-domain suspend Moved --code 2')).toMatchObject({
      status: 'suspended',
      statusCode: 2,
    });
    expect(await installation.json('account-domain enable Moved')).toMatchObject({
      status: 'enabled',
      statusCode: null,
    });
  });

  it('disable disables the account domain', async () => {
    expect(await installation.json('account-domain disable Moved')).toMatchObject({
      status: 'disabled',
    });
  });

  it('list shows all account domains by name', async () => {
    const domains = await installation.json<{ name: string }[]>('account-domain list');
    expect(domains.map(({ name }) => name)).toEqual(['Acme Ltd', 'Default', 'Moved', 'Services']);
  });
});
