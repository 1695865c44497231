// One tenant with the DNS service and a user who may use it, in an empty database.
import { accounts, adminCli, database } from './packages.mjs';

/** Creates tenant and user, and returns all keys and secrets. */
export async function prepareTenant(db) {
  const keys = database.generateKeyringText('bench');
  const keyring = database.parseKeyring(keys);
  const nameserverAccessKey = {
    id: database.generateAccessKeyId(),
    secretKey: database.generateSecretKey(database.ACCESS_KEY_LENGTH.default),
  };
  const { secrets } = await adminCli.bootstrap(db, keyring, {
    administratorName: 'admin',
    region: 'bench',
    identityUrl: 'http://127.0.0.1:35357',
    dnsUrl: 'http://127.0.0.1:9001',
    nameserverAccessKey,
    nameserverDomain: 'bench.example.',
    nameserverEmail: 'hostmaster@bench.example',
    nameservers: [1, 2, 3, 4, 5, 6].map((each) => ({ name: `ns1-${each}`, ipv4: '192.0.2.1' })),
  });
  const tenant = await accounts.createTenant(db, {
    name: 'bench',
    description: 'of the benchmark',
  });
  const password = accounts.generatePassword();
  const user = await accounts.createUser(db, { name: 'bench', password });
  await accounts.activateService(db, { tenant: tenant.id, service: 'DNS' });
  for (const role of ['member', 'dns-admin']) {
    await accounts.grantRole(db, { user: 'bench', role, tenant: tenant.id });
  }
  return {
    keys,
    keyring,
    user: { id: user.id, name: 'bench', password },
    tenantId: tenant.id,
    nameserverCredentials: {
      accessKey: nameserverAccessKey.id,
      secretKey: nameserverAccessKey.secretKey,
    },
    serviceCredentials: {
      accessKey: secrets.serviceAccessKey,
      secretKey: secrets.serviceSecretKey,
    },
  };
}

/** Returns a token for the `auth` object of POST /v2.0/tokens. */
export async function logIn(url, auth) {
  const response = await fetch(`${url}/v2.0/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auth }),
  });
  if (response.status !== 200) throw new Error(`cannot log in: ${await response.text()}`);
  return (await response.json()).access.token.id;
}
