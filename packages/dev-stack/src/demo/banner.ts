import type { Infrastructure } from '../launcher/infrastructure.js';
import type { StartSettings } from '../settings/settings.js';
import { describeDemoCloud } from './clouds-yaml.js';
import type { DemoEnvironment } from './demo-env.js';

interface BannerFacts {
  readonly settings: StartSettings;
  readonly facts: DemoEnvironment;
  readonly infrastructure: Infrastructure;
  /** Path to type in the folder of the project. */
  readonly dataFolderName: string;
}

/** Command that prints a member of the JSON on standard input. Every machine with Zonewright has Node.js. */
const pick = (path: string) =>
  `node -pe 'JSON.parse(require("fs").readFileSync(0,"utf8")).${path}'`;

/**
 * Renders the text that `npm start` prints when everything is running: addresses, the demo user, and commands to paste.
 */
export function renderBanner({
  settings,
  facts,
  infrastructure,
  dataFolderName,
}: BannerFacts): string {
  const [host, port] = (facts['ZONEWRIGHT_NAMESERVER'] ?? '').split(':');
  return `
Zonewright is ready.${consoleLine(settings)}

  identity service   ${facts['ZONEWRIGHT_IDENTITY_URL']}/v2.0
  DNS API            ${facts['ZONEWRIGHT_DNS_URL']}/v1
  nameserver         ${facts['ZONEWRIGHT_NAMESERVER']} (UDP and TCP)${others(settings.nameserverCount)}
  PostgreSQL         ${infrastructure.databaseNote}
  Redis              ${infrastructure.redisNote}
  data and logs      ${dataFolderName}/

  demo tenant        ${facts['ZONEWRIGHT_TENANT_NAME']} (${facts['ZONEWRIGHT_TENANT_ID']})
  demo user          ${facts['ZONEWRIGHT_USERNAME']}
  password           ${facts['ZONEWRIGHT_PASSWORD']}
  access key         ${facts['ZONEWRIGHT_ACCESS_KEY']}
  secret key         ${facts['ZONEWRIGHT_SECRET_KEY']}

In another terminal, in this folder:

  ./zonewright login --env-file "${dataFolderName}/demo.env"
  ./zonewright domain add my-domain.example
  ./zonewright record add my-domain.example www A 192.0.2.1
  ./zonewright check my-domain.example

clouds.yaml for the demo user; ${dataFolderName}/clouds.yaml also has zonewright-admin, the administrator of all accounts:

${describeDemoCloud(facts)}
Or with HTTP only. Paste this into another terminal, in this folder:

  # the values above, as shell variables
  . ${sourceable(dataFolderName)}/demo.env

  # authenticate
  TOKEN=$(curl -s "$ZONEWRIGHT_IDENTITY_URL/v2.0/tokens" -H 'Content-Type: application/json' \\
    -d '{"auth":{"passwordCredentials":{"username":"'"$ZONEWRIGHT_USERNAME"'","password":"'"$ZONEWRIGHT_PASSWORD"'"},"tenantName":"'"$ZONEWRIGHT_TENANT_NAME"'"}}' \\
    | ${pick('access.token.id')})

  # create a domain, and a record in it
  DOMAIN=$(curl -s "$ZONEWRIGHT_DNS_URL/v1/domains" -H "X-Auth-Token: $TOKEN" -H 'Content-Type: application/json' \\
    -d '{"name":"my-first.example.","ttl":3600,"email":"hostmaster@my-first.example"}' \\
    | ${pick('id')})
  curl -s "$ZONEWRIGHT_DNS_URL/v1/domains/$DOMAIN/records" -H "X-Auth-Token: $TOKEN" -H 'Content-Type: application/json' \\
    -d '{"name":"www.my-first.example.","type":"A","data":"192.0.2.1"}'; echo

  # ask the nameserver
  dig @${host} -p ${port} www.my-first.example. A
  dig @${host} -p ${port} www.my-first.example. A +tcp

  # for the clients of OpenStack: openstack project list --my-projects
  export OS_CLIENT_CONFIG_FILE="${absolute(dataFolderName)}/clouds.yaml" OS_CLOUD=zonewright

More tenants, users and quotas: npm run admin -- --help
Ctrl-C stops everything; the data is kept.
`;
}

/** The console comes first, since most users need nothing else. */
function consoleLine({ hasConsole, ports }: StartSettings): string {
  return hasConsole ? ` Open http://127.0.0.1:${ports.console} in a browser.` : '';
}

/** Mentions other nameservers. `check` shows their addresses. */
function others(count: number): string {
  return count === 1 ? '' : `, the first of ${count}`;
}

/** Makes the path absolute, since the user may run the command in another folder later. */
function absolute(folder: string): string {
  return folder.startsWith('/') ? folder : `$PWD/${folder}`;
}

/** Adds a slash to the path. Without one, the `.` command of a shell searches PATH. */
function sourceable(folder: string): string {
  return folder.includes('/') ? folder : `./${folder}`;
}
