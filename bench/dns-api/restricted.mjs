// Compares tokens of restricted access keys with those of unrestricted ones: cost of the rules in dns-api and in the
// identity service.
import { callsPerSecond, openConnections, requireOk } from './http-client.mjs';
import { logIn } from '../lib/tenant.mjs';
import { compare } from '../lib/rounds.mjs';
import { createZones, recordBody } from './zones.mjs';

const CONNECTIONS = 32;
const GOAL = 0.9;

export async function measureRestricted(platform, length) {
  const zones = await createZones(platform, CONNECTIONS);
  const token = await logInRestricted(platform, zones);
  return [
    await measureCreates(platform, length, { zones, token }),
    await measureReads(platform, length, { zones, token }),
    await measureValidations(platform, length, token),
  ];
}

/** Logs in with a key that has one rule for each zone. Each request matches one of the rules. */
async function logInRestricted({ identityUrl, token, tenantId }, zones) {
  const restrictions = {
    tenantId,
    rules: zones.map(({ name }) => ({
      zone: name,
      name: '**',
      types: ['A', 'TXT'],
      actions: ['read', 'update'],
    })),
  };
  const [connection] = await openConnections(new URL(identityUrl), 1);
  const body = { accessKey: { otherAttributes: { restrictions } } };
  const path = '/v2.0/EXT-IDM/v1.0/accesskeys';
  const answer = requireOk(await connection.request('POST', path, { token, body }), 201);
  const { accessKeyId: accessKey, secretKey } = JSON.parse(answer.text()).accessKey;
  connection.close();
  return await logIn(identityUrl, {
    apiAccessKeyCredentials: { accessKey, secretKey },
  });
}

async function measureCreates(platform, length, { zones, token }) {
  let made = 0;
  return await compareTokens(platform, length, {
    title: `Create Record with a key of ${zones.length} rules, ${CONNECTIONS} connections`,
    token,
    send: async (connection, at, used) => {
      const zone = zones[at];
      made += 1;
      const path = `/v1/domains/${zone.id}/records`;
      const body = recordBody(zone, `restricted-${made}`);
      requireOk(await connection.request('POST', path, { token: used, body }));
    },
  });
}

async function measureReads(platform, length, { zones, token }) {
  const [connection] = await openConnections(platform.apiUrl, 1);
  const paths = [];
  for (const zone of zones) {
    const path = `/v1/domains/${zone.id}/records`;
    const body = recordBody(zone, 'read');
    const answer = requireOk(
      await connection.request('POST', path, { token: platform.token, body }),
    );
    paths.push(`${path}/${JSON.parse(answer.text()).id}`);
  }
  connection.close();
  return await compareTokens(platform, length, {
    title: `Get Record with the same key, ${CONNECTIONS} connections`,
    token,
    send: async (each, at, used) => {
      requireOk(await each.request('GET', paths[at], { token: used }));
    },
  });
}

async function measureValidations(platform, length, token) {
  const asking = await logIn(platform.identityUrl, {
    apiAccessKeyCredentials: platform.serviceCredentials,
  });
  return await compareTokens(
    { ...platform, apiUrl: new URL(platform.identityUrl), apiPid: platform.identityPid },
    length,
    {
      title: `Validate a token of the same key (v3), ${CONNECTIONS} connections`,
      token,
      send: async (connection, at, used) => {
        const headers = {
          'X-Subject-Token': used,
          'X-Zonewright-Understands': 'restrictions',
        };
        requireOk(await connection.request('GET', '/v3/auth/tokens', { token: asking, headers }));
      },
    },
  );
}

async function compareTokens(platform, length, { title, token, send }) {
  const connections = await openConnections(platform.apiUrl, CONNECTIONS);
  const runWith = (used) => ({
    pid: platform.apiPid,
    run: (seconds) =>
      callsPerSecond(connections, seconds, (connection, at) => send(connection, at, used)),
  });
  try {
    return await compare(length, {
      title,
      unit: '/s',
      against: 'the same without restrictions',
      goal: GOAL,
      service: runWith(token),
      bare: runWith(platform.token),
    });
  } finally {
    for (const connection of connections) connection.close();
  }
}
