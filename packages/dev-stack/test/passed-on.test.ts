import { describe, expect, it } from '@jest/globals';
import { CONSOLE_SETTINGS } from '@zonewright/console-service';
import { DNS_API_SETTINGS } from '@zonewright/dns-api';
import { IDENTITY_SERVICE_SETTINGS } from '@zonewright/identity-service';
import { NAMESERVER_SETTINGS } from '@zonewright/nameserver';
import { listSettings, type SettingsTree } from '@zonewright/service-kit';
import { SIGNER_SETTINGS } from '@zonewright/signer';
import { describeEnvironment, passedOn, type ServiceName } from '../src/launcher/passed-on.js';

const TREES: Readonly<Record<ServiceName, SettingsTree>> = {
  'identity-service': IDENTITY_SERVICE_SETTINGS,
  'dns-api': DNS_API_SETTINGS,
  signer: SIGNER_SETTINGS,
  nameserver: NAMESERVER_SETTINGS,
  'console-service': CONSOLE_SETTINGS,
};
/** Variables that `npm start` reads itself. It gives each service its own value. */
const OF_START = ['DATABASE_URL', 'REDIS_URL'];

describe.each(Object.entries(TREES) as [ServiceName, SettingsTree][])('%s', (service, tree) => {
  it.each(listSettings(tree).map(({ variable }) => variable))(
    'gets %s from the environment of npm start, or a line explains why not',
    (name) => {
      if (OF_START.includes(name)) return;
      const environment = { [name]: 'a value' };
      const isPassed = passedOn(service, environment)[name] === 'a value';
      const [line, ...more] = describeEnvironment(environment);
      expect(more).toEqual([]);
      expect(line).toMatch(
        isPassed
          ? `Settings of the environment that are passed to the services: ${name}.`
          : `${name} is ignored by npm start: `,
      );
    },
  );
});

describe('names that no program reads', () => {
  it.each([
    ['RATE_LIMIT', 'did you mean RATE_LIMITS?'],
    ['MX_TARGETS_CHECK', 'did you mean MX_TARGET_CHECK?'],
    ['DATABASE_URI', 'did you mean DATABASE_URL?'],
    ['NAMESERVER_SPEED', 'docs/reference/configuration.md lists all settings'],
  ])('%s: a warning', (name, hint) => {
    expect(describeEnvironment({ [name]: 'off' })).toEqual([
      `Warning: ${name} is not used; ${hint}`,
    ]);
  });

  it.each([
    'PATH',
    'HOME',
    'NODE_OPTIONS',
    'CI',
    'ADMIN_OPERATOR',
    'DNS_API_DATABASE_PASSWORD',
    'ADMINISTRATOR_PASSWORD_FILE',
    'ZONEWRIGHT_TENANT_ID',
    'ZONEWRIGHT_TEST_TEMPLATE',
  ])('%s is read by another program, or is not ours', (name) => {
    expect(describeEnvironment({ [name]: 'x' })).toEqual([]);
  });

  it('a file with the value of a setting is passed on or ignored, like the setting', () => {
    const environment = { REDIS_KEY_PREFIX_FILE: '/run/prefix', ENCRYPTION_KEYS_FILE: '/run/keys' };
    expect(passedOn('identity-service', environment)).toEqual({
      REDIS_KEY_PREFIX_FILE: '/run/prefix',
    });
    expect(describeEnvironment(environment)[1]).toMatch(/^ENCRYPTION_KEYS_FILE is ignored/);
  });

  it('an empty variable counts as unset', () => {
    const environment = { RATE_LIMITS: '', RATE_LIMIT: '', IDENTITY_PORT: '' };
    expect(describeEnvironment(environment)).toEqual([]);
    expect(passedOn('identity-service', environment)).toEqual({});
  });
});
