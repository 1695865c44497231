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
        'No enabled user has the role service: dns-api can validate no token.',
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
        'No service user has an access key that can be used.',
        'Run zonewright-admin bootstrap, and give the key that it prints to dns-api.',
      ),
    ];
  }
  const until = Math.max(...usable.map(({ validTo }) => validTo.getTime()));
  const findings: Finding[] = [];
  if (until - clock.now() < MONTH_MS) {
    findings.push(
      warning(
        AREA,
        `The last access key of the service users ends at ${new Date(until).toISOString()}.`,
        'Make another one (access-key create --user dns-api) and restart dns-api with it.',
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
        'A service user has a key; its log-in is not tried, as DNS_API_SERVICE_ACCESS_KEY and its secret are not set.',
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
    if (response.ok) return [ok(AREA, `dns-api's access key ${accessKey} logs in.`)];
    return [
      error(
        AREA,
        `dns-api's access key ${accessKey} does not log in: identity-service answers ${response.status}.`,
        'Compare DNS_API_SERVICE_ACCESS_KEY and DNS_API_SERVICE_SECRET_KEY with access-key list; bootstrap imports the pair.',
      ),
    ];
  } catch (failure) {
    return [
      error(
        AREA,
        `identity-service does not answer at ${url} (${reasonOf(failure)}).`,
        'Start it, or set IDENTITY_URL to where it answers.',
      ),
    ];
  }
}

async function identityUrlOfCatalog(db: Examination['db']): Promise<string | undefined> {
  const endpoints = await listEndpoints(db, undefined);
  return endpoints.find(({ serviceName, enabled }) => enabled && serviceName === 'Identity')
    ?.publicUrl;
}
