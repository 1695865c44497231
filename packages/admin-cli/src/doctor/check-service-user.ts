import { listAccessKeySummaries, listEndpoints, listServiceUsers } from '@zonewright/accounts';
import { reasonOf } from './check-services.js';
import type { Check, Examination } from './finding.js';
import { error, type Finding, ok, warning } from './finding.js';

const AREA = 'service user';
const TIMEOUT_MS = 5_000;
const MONTH_MS = 30 * 24 * 3600 * 1000;

/** Checks the user with which dns-api validates tokens. Without it nobody can use the DNS API. */
export const checkServiceUser: Check = async (examination) => {
  const { db, clock } = examination;
  const users = await listServiceUsers(db);
  if (users.length === 0) {
    return [
      error(
        AREA,
        'No enabled user has the role service: dns-api cannot validate tokens.',
        'Run zonewright-admin bootstrap.',
      ),
    ];
  }
  const keys = (await Promise.all(users.map(({ id }) => listAccessKeySummaries(db, id)))).flat();
  const usable = keys.filter(({ status }) => status === 'active');
  if (usable.length === 0) {
    return [
      error(
        AREA,
        'No service user has a usable access key.',
        'Run zonewright-admin bootstrap, and configure dns-api with the key that it prints.',
      ),
    ];
  }
  const until = Math.max(...usable.map(({ validTo }) => validTo.getTime()));
  const findings: Finding[] = [];
  if (until - clock.now() < MONTH_MS) {
    findings.push(
      warning(
        AREA,
        `The last access key of the service users expires at ${new Date(until).toISOString()}.`,
        'Create another one (access-key create --user dns-api) and restart dns-api with it.',
      ),
    );
  }
  return [...findings, ...(await tryLogIn(examination))];
};

async function tryLogIn({ db, settings }: Examination): Promise<Finding[]> {
  const { serviceAccessKey: accessKey, serviceSecretKey: secretKey } = settings.bootstrap;
  if (accessKey === undefined || secretKey === undefined) {
    return [
      ok(
        AREA,
        'A service user has a key; its login is not tested, because DNS_API_SERVICE_ACCESS_KEY and DNS_API_SERVICE_SECRET_KEY are not set.',
      ),
    ];
  }
  const base = settings.doctor.identityUrl ?? (await identityUrlOfCatalog(db));
  const url = `${base?.replace(/\/+$/, '').replace(/\/v[\d.]+$/, '') ?? ''}/v2.0/tokens`;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ auth: { apiAccessKeyCredentials: { accessKey, secretKey } } }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (response.ok) return [ok(AREA, `The access key ${accessKey} of dns-api can log in.`)];
    return [
      error(
        AREA,
        `The access key ${accessKey} of dns-api cannot log in: identity-service responds with ${response.status}.`,
        'Compare DNS_API_SERVICE_ACCESS_KEY and DNS_API_SERVICE_SECRET_KEY with access-key list; bootstrap imports the pair.',
      ),
    ];
  } catch (failure) {
    return [
      error(
        AREA,
        `identity-service does not respond at ${url} (${reasonOf(failure)}).`,
        'Start it, or correct IDENTITY_URL.',
      ),
    ];
  }
}

async function identityUrlOfCatalog(db: Examination['db']): Promise<string | undefined> {
  const endpoints = await listEndpoints(db, undefined);
  return endpoints.find(({ serviceName, enabled }) => enabled && serviceName === 'Identity')
    ?.publicUrl;
}
