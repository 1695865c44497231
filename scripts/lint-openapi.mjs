// `node scripts/lint-openapi.mjs` checks that both OpenAPI documents pass Redocly's recommended rules, and that openapi-typescript generates types for everything they describe. Redocly is run with npx, because nothing else needs it; the first run needs the network.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, ensureInstalled, ROOT } from './install.mjs';

const REDOCLY = '@redocly/cli@2.77.0';
const CONFIG = `extends: [recommended]
rules:
  # Versions answer 300, and Find Recordset 301.
  operation-2xx-response: off
  # An example in XML is text, whatever the schema of its members is.
  no-invalid-media-type-examples: off
`;

ensureInstalled();
build();
const dist = (path) => import(new URL(`../packages/${path}`, import.meta.url));
const { describeApi: describeDns } = await dist('dns-api/dist/openapi/describe-api.js');
const { DESCRIBED_OPERATIONS } = await dist('dns-api/dist/operations.js');
const { describeApi: describeIdentity } = await dist('identity-service/dist/http/openapi.js');
const { ROUTES } = await dist('identity-service/dist/routes.js');
const documents = {
  dns: describeDns(DESCRIBED_OPERATIONS, 'https://dns.zonewright.test'),
  identity: describeIdentity(ROUTES, {
    baseUrl: 'https://identity.zonewright.test',
    extensionAliases: [],
  }),
};

const fromClient = createRequire(join(ROOT, 'packages/client/package.json'));
const { default: openapiTypescript } = fromClient('openapi-typescript');
const folder = mkdtempSync(join(tmpdir(), 'zonewright-openapi-'));
try {
  writeFileSync(join(folder, 'redocly.yaml'), CONFIG);
  for (const [name, document] of Object.entries(documents)) {
    // The document is checked as it is sent, without its undefined properties.
    const sent = JSON.parse(JSON.stringify(document));
    await openapiTypescript(structuredClone(sent));
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(sent));
    const args = ['--yes', REDOCLY, 'lint', '--config', 'redocly.yaml', `${name}.json`];
    const { status, stdout, stderr } = spawnSync('npx', args, { cwd: folder, encoding: 'utf8' });
    const said = `${stdout ?? ''}${stderr ?? ''}`;
    const problems = status !== 0 || /\bYou have \d+ warning/.test(said);
    console.log(`${name}: ${problems ? said : 'no problems'}`);
    if (problems) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
