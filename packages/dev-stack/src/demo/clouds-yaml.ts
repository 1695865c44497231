import type { DataFolder } from '../launcher/data-folder.js';
import type { DemoEnvironment } from './demo-env.js';

/** Name of an installation in clouds.yaml, with a login. */
interface Cloud {
  readonly name: string;
  readonly username: string;
  readonly password: string;
}

/** Describes a cloud with the demo's project for every user. The command `openstack` needs a project. */
function describeCloud(facts: DemoEnvironment, { name, username, password }: Cloud): string {
  const auth = {
    auth_url: `${facts['ZONEWRIGHT_IDENTITY_URL']}/v3`,
    username,
    password,
    project_name: facts['ZONEWRIGHT_TENANT_NAME'],
    user_domain_id: 'default',
    project_domain_id: 'default',
  };
  const lines = Object.entries(auth).map(
    // A JSON string is also a YAML string.
    ([member, value]) => `      ${member}: ${JSON.stringify(value)}`,
  );
  return [
    `  ${name}:`,
    '    auth:',
    ...lines,
    '    region_name: "US-West"',
    '    identity_api_version: 3',
  ].join('\n');
}

/** Describes the demo user for clouds.yaml. */
export function describeDemoCloud(facts: DemoEnvironment): string {
  const cloud = {
    name: 'zonewright',
    username: facts['ZONEWRIGHT_USERNAME'] ?? '',
    password: facts['ZONEWRIGHT_PASSWORD'] ?? '',
  };
  return `clouds:\n${describeCloud(facts, cloud)}\n`;
}

/**
 * Writes clouds.yaml, which `openstack` finds through OS_CLIENT_CONFIG_FILE, with the demo user and the administrator
 * of accounts.
 */
export function writeCloudsYaml(
  folder: DataFolder,
  facts: DemoEnvironment,
  administrator: Omit<Cloud, 'name'>,
): void {
  const admin = describeCloud(facts, { name: 'zonewright-admin', ...administrator });
  folder.writePrivate('clouds.yaml', `${describeDemoCloud(facts)}${admin}\n`);
}
