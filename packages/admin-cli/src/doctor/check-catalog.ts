import { connect, type PeerCertificate } from 'node:tls';
import { type Endpoint, listEndpoints, listServices, type Service } from '@zonewright/accounts';
import { type Clock, REQUEST_ID_HEADER } from '@zonewright/service-kit';
import { reasonOf } from './check-services.js';
import { type Check, error, type Finding, ok, warning } from './finding.js';

const CATALOG_AREA = 'catalog';
const TIMEOUT_MS = 3_000;
/** Service types that clients look for. Services of other types are not ours. */
const OUR_TYPES = { identity: ['identity'], dns: ['ext:dns', 'hpext:dns', 'dns'] };
/** URLs of an endpoint in the catalog, with the options that change them. */
const URL_OPTIONS = {
  publicUrl: '--public-url',
  publicUrl2: '--public-url2',
  internalUrl: '--internal-url',
  adminUrl: '--admin-url',
  versionInfo: '--version-info',
  versionList: '--version-list',
} as const;

/** Checks that clients find both services, and that the URLs of the catalog respond. */
export const checkCatalog: Check = async ({ db, settings, clock }) => {
  const services = (await listServices(db)).filter(({ enabled }) => enabled);
  const endpoints = (await listEndpoints(db, undefined)).filter(({ enabled }) => enabled);
  const findings: Finding[] = [];
  for (const [name, types] of Object.entries(OUR_TYPES)) {
    const ids = services
      .filter((service) => service.types.some((type) => types.includes(type)))
      .map(({ id }) => id);
    const found = endpoints.filter(({ serviceId }) => ids.includes(serviceId));
    if (found.length === 0) {
      findings.push(
        error(
          CATALOG_AREA,
          `The catalog has no enabled endpoint of type ${types.join(' or ')}.`,
          'Run zonewright-admin bootstrap, or endpoint create and endpoint enable.',
        ),
      );
    }
    const instead = name === 'identity' ? settings.doctor.identityUrl : settings.doctor.dnsApiUrl;
    findings.push(...(await Promise.all(found.map((endpoint) => askEndpoint(endpoint, instead)))));
    findings.push(...found.flatMap((endpoint) => judgeScheme(endpoint, instead)));
    if (name === 'dns') findings.push(...judgeDesignate(services, endpoints));
    const urls = new Set(
      found.map((endpoint) => urlOf(endpoint, instead)).filter((url) => URL.canParse(url)),
    );
    for (const url of urls) findings.push(...(await checkCertificate(url, clock)));
  }
  return findings;
};

/** @param instead the address at which this machine reaches the same service */
function urlOf({ publicUrl }: Endpoint, instead: string | undefined): string {
  return instead ?? publicUrl.replaceAll('%(tenant_id)s', 'none');
}

/**
 * A service that terminates TLS itself does not accept `http`, so `http` in the catalog cannot work. `https` can work
 * without it: a proxy may provide TLS.
 */
function judgeScheme(endpoint: Endpoint, instead: string | undefined): Finding[] {
  if (instead?.startsWith('https:') !== true) return [];
  const mistaken = Object.entries(URL_OPTIONS).flatMap(([member, option]) => {
    const url = endpoint[member as keyof typeof URL_OPTIONS];
    return url?.startsWith('http:') === true ? [{ url, option }] : [];
  });
  if (mistaken.length === 0) return [];
  const urls = [...new Set(mistaken.map(({ url }) => url))].join(', ');
  const options = mistaken.map(({ url, option }) => `${option} ${url.replace('http:', 'https:')}`);
  return [
    error(
      CATALOG_AREA,
      `The catalog gives clients ${urls} for ${endpoint.serviceName}, which uses TLS: clients get no response over http.`,
      `zonewright-admin endpoint set ${endpoint.id} ${options.join(' ')}`,
    ),
  ];
}

/**
 * Checks the endpoints of Designate v2, whose clients append the version to the URL of the type `dns`. All catalog
 * entries of the DNS service need the same roles, because they admit the same users.
 */
function judgeDesignate(services: readonly Service[], endpoints: readonly Endpoint[]): Finding[] {
  const ofDns = services.filter(({ types }) => types.some((type) => OUR_TYPES.dns.includes(type)));
  const forV2 = ofDns.filter(({ types }) => types.includes('dns')).map(({ id }) => id);
  const versioned = endpoints.filter(
    ({ serviceId, publicUrl }) => forV2.includes(serviceId) && /\/v1\/?$/.test(publicUrl),
  );
  const roles = new Set(ofDns.map(({ requiredRoles }) => requiredRoles.join(' ')));
  return [
    ...versioned.map(({ id, publicUrl }) =>
      warning(
        CATALOG_AREA,
        `The type dns has the URL ${publicUrl}: clients of Designate v2 append v2/ to it and get 404.`,
        `zonewright-admin endpoint set ${id} --public-url ${publicUrl.replace(/\/v1\/?$/, '')}`,
      ),
    ),
    ...(roles.size > 1
      ? [
          warning(
            CATALOG_AREA,
            `${ofDns.map((service) => service.name).join(' and ')} are the same service, but require different roles: users who see one of them can use it.`,
            'Give them the same roles: zonewright-admin service set NAME --required-roles ROLE.',
          ),
        ]
      : []),
  ];
}

/** Accepts any response of one of our services, which all contain a request id. */
async function askEndpoint(endpoint: Endpoint, instead: string | undefined): Promise<Finding> {
  const shown = endpoint.publicUrl;
  const url = urlOf(endpoint, instead);
  const via = instead === undefined ? '' : ` (queried at ${instead})`;
  if (!URL.canParse(url)) {
    return error(
      CATALOG_AREA,
      `The endpoint ${shown} is not a URL.`,
      `zonewright-admin endpoint set ${endpoint.id} --public-url ...`,
    );
  }
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'manual',
    });
    await response.body?.cancel();
    if (!response.headers.has(REQUEST_ID_HEADER)) {
      return error(
        CATALOG_AREA,
        `Another program (HTTP ${response.status}) responds at ${shown}${via}, the endpoint of ${endpoint.serviceName} in ${endpoint.region}.`,
        `Check which program uses that port, or which proxy is in front of it; or correct the endpoint: zonewright-admin endpoint set ${endpoint.id} --public-url ...`,
      );
    }
    if (response.status < 500) {
      return ok(
        CATALOG_AREA,
        `${endpoint.serviceName} in ${endpoint.region} responds at ${shown}${via}.`,
      );
    }
    return error(
      CATALOG_AREA,
      `${endpoint.serviceName} in ${endpoint.region} responds with ${response.status} at ${shown}${via}.`,
      'Check its log and its /readyz.',
    );
  } catch (failure) {
    const what = `Nothing responds at ${shown}${via}, the endpoint of ${endpoint.serviceName} in ${endpoint.region} (${reasonOf(failure)}).`;
    const advice =
      `Start the service, correct the endpoint (zonewright-admin endpoint set ${endpoint.id} --public-url ...), or, if only this ` +
      'machine cannot reach it, set IDENTITY_URL and DNS_API_URL to URLs that it can reach.';
    return instead === undefined
      ? warning(CATALOG_AREA, what, advice)
      : error(CATALOG_AREA, what, advice);
  }
}

const CERTIFICATES_AREA = 'certificates';
const DAY_MS = 24 * 3_600_000;
/** Certificates that expire within this number of days get a warning. Automatic renewal happens earlier. */
const SOON_DAYS = 14;
const ADVICE =
  'Renew it; the service loads it within two seconds. If it was renewed, check that the new files are in the configured place.';

/** Checks how long the certificate at this URL is valid. Without TLS or without a response there is no finding. */
async function checkCertificate(url: string, clock: Clock): Promise<Finding[]> {
  const { protocol, hostname, host, port } = new URL(url);
  if (protocol !== 'https:') return [];
  const name = hostname.replace(/^\[|\]$/g, '');
  const certificate = await readCertificate(name, port === '' ? 443 : Number(port));
  if (certificate?.valid_to === undefined) return [];
  const end = new Date(certificate.valid_to);
  const days = Math.floor((end.getTime() - clock.now()) / DAY_MS);
  const shown = `The certificate at ${host} expires at ${end.toISOString()}`;
  if (days < 0) return [error(CERTIFICATES_AREA, `${shown}: it has expired.`, ADVICE)];
  if (days < SOON_DAYS) return [warning(CERTIFICATES_AREA, `${shown}, in ${days} days.`, ADVICE)];
  return [ok(CERTIFICATES_AREA, `${shown}.`)];
}

/** Reads the certificate without verifying it, because the check of the service verifies it. */
async function readCertificate(host: string, port: number): Promise<PeerCertificate | undefined> {
  return await new Promise((resolve) => {
    const socket = connect({ host, port, rejectUnauthorized: false, timeout: TIMEOUT_MS });
    const end = (certificate?: PeerCertificate) => {
      socket.destroy();
      resolve(certificate);
    };
    socket.once('secureConnect', () => {
      end(socket.getPeerCertificate());
    });
    socket.once('timeout', end);
    socket.on('error', () => {
      end();
    });
  });
}
