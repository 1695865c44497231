import { afterAll, beforeAll } from '@jest/globals';
import {
  type Database,
  DATABASE_ROLES,
  generateKeyringText,
  openDatabase,
  parseKeyring,
} from '@zonewright/database';
import { type TestDatabaseHandle, useTestDatabase } from '@zonewright/testkit';

/** Creates the test file's database and opens it with only the rights of the operator's command. */
export function useOperatorDatabase(): {
  readonly db: Database;
  readonly owner: TestDatabaseHandle;
} {
  const owner = useTestDatabase();
  let db: Database | undefined;
  beforeAll(() => {
    db = openDatabase({
      url: owner.urlAs(DATABASE_ROLES.operator),
      applicationName: 'zonewright-admin-test',
      maxConnections: 3,
    });
  });
  afterAll(async () => {
    await db?.destroy();
  });
  return {
    get db() {
      if (db === undefined) throw new Error('The database does not exist before beforeAll.');
      return db;
    },
    owner,
  };
}

export const keyringText = generateKeyringText('test');
export const keyring = parseKeyring(keyringText);

/** The bootstrap options of a small installation. */
export const BOOTSTRAP_OPTIONS = {
  administratorName: 'admin',
  region: 'US-West',
  identityUrl: 'http://identity.test:35357',
  dnsUrl: 'http://dns.test:9001/',
  nameserverDomain: 'dns.test',
  nameserverEmail: 'hostmaster@dns.test',
  nameservers: Array.from({ length: 6 }, (_, index) => ({
    name: `ns1-${index + 1}`,
    ipv4: `192.0.2.${index + 1}`,
  })),
};
