import { expect } from '@jest/globals';

/** A cloud of clouds.yaml, the demo user in another project, or one that only variables describe. */
export type Persona = 'demo' | 'admin' | 'receiver' | 'variables' | 'credential';

/** Command with its expected result. */
export interface Step {
  readonly as?: Persona;
  /** Words. '...' keeps blanks together; {name.member} refers to a stored result. */
  readonly run: string;
  /** Expected JSON output. Without it, the command must only succeed. */
  readonly gives?: unknown;
  /** The command must fail with this message. */
  readonly fails?: RegExp;
  /** Name under which the result is stored. */
  readonly keep?: string;
  /** Whether the result may take some time, as a publication does. */
  readonly isAwaited?: true;
}

const by = (as: Persona, ...steps: readonly Step[]): Step[] =>
  steps.map((step) => ({ as, ...step }));
const with_ = (...items: readonly unknown[]): unknown =>
  expect.arrayContaining(items.map((item) => expect.objectContaining(item as object)));

const TSIG_SECRET = Buffer.alloc(32, 7).toString('base64');
const POOL = '794ccc2c-d751-44fe-b57f-8894c9f5c842';
const RULE = {
  zone: 'commands.example.',
  name: '_acme-challenge.**',
  types: ['TXT'],
  actions: ['read', 'update'],
};

/** Every command of python3-openstackclient about accounts that this service supports, and the errors of the others. */
const ACCOUNTS: Readonly<Record<string, readonly Step[]>> = {
  "the demo's user: tokens, catalog, own things, own password": [
    { run: 'token issue', gives: { project_id: expect.any(String) } },
    {
      run: 'catalog list',
      gives: with_({ Name: 'DNS' }, { Name: 'Identity' }, { Name: 'designate' }),
    },
    { run: 'catalog show identity' },
    { run: 'project show demo', gives: { name: 'demo', domain_id: 'default', enabled: true } },
    { run: 'user show demo', gives: { name: 'demo', enabled: true } },
    { run: 'project list --my-projects', gives: with_({ Name: 'demo' }, { Name: 'receiver' }) },
    { run: 'user list', fails: /HTTP 403/ },
    { run: 'user password set --original-password {demo.password} --password another-horse' },
    ...by('variables', {
      run: 'user password set --original-password another-horse --password {demo.password}',
    }),
  ],
  projects: by(
    'admin',
    {
      run: 'project create acme --description Acme --tag anvils',
      gives: { name: 'acme', description: 'Acme', domain_id: 'default' },
      keep: 'acme',
    },
    { run: 'project create acme', fails: /HTTP 409/ },
    { run: 'project create acme --or-show', gives: { id: '{acme.id}' } },
    { run: 'project set acme --description anvils --disable' },
    {
      run: 'project show acme',
      gives: { description: 'anvils', enabled: false, tags: ['anvils'] },
    },
    { run: 'project list --tags anvils', gives: [{ ID: '{acme.id}' }] },
    { run: 'project set acme --enable --name acme-2' },
    { run: 'project set acme-2 --name acme' },
    { run: 'project list', gives: with_({ Name: 'acme' }, { Name: 'demo' }) },
    {
      run: 'project list --domain default --long --sort name:desc',
      gives: with_({ Name: 'acme' }),
    },
    { run: 'project create other --property colour=red', gives: { name: 'other', colour: 'red' } },
  ),
  users: by(
    'admin',
    {
      run: 'user create alice --password correct-horse --email a@example.com --description A --project acme',
      gives: { name: 'alice', email: 'a@example.com', description: 'A', domain_id: 'default' },
      keep: 'alice',
    },
    { run: 'user create alice --password correct-horse', fails: /HTTP 409/ },
    { run: 'user create alice --or-show', gives: { id: '{alice.id}' } },
    { run: 'user create bob --password bob', fails: /HTTP 400/ },
    { run: 'user show alice', gives: { id: '{alice.id}', enabled: true } },
    {
      run: 'user list',
      gives: with_({ Name: 'admin' }, { Name: 'alice' }, { Name: 'demo' }, { Name: 'dns-api' }),
    },
    { run: 'user list --domain default --long', gives: with_({ Email: 'a@example.com' }) },
    { run: 'user set alice --name alicia --password battery-staple' },
    { run: 'user set alicia --disable --description B' },
    { run: 'user show alicia', gives: { id: '{alice.id}', enabled: false, description: 'B' } },
    { run: 'user set alicia --enable --email b@example.com' },
  ),
  'roles and their assignments': by(
    'admin',
    { run: 'role create reader', gives: { name: 'reader' } },
    { run: 'role create reader --or-show', gives: { name: 'reader' } },
    { run: 'role add --project acme --user alicia member' },
    { run: 'role add --domain default --user alicia reader' },
    {
      run: 'role assignment list --user alicia --names',
      gives: with_(
        { Role: 'member', Project: 'acme@Default' },
        { Role: 'reader', Domain: 'Default' },
      ),
    },
    { run: 'role assignment list --project acme --role member', gives: [{ User: '{alice.id}' }] },
    { run: 'user list --project acme', gives: [{ Name: 'alicia' }] },
    { run: 'project list --user alicia', gives: [{ Name: 'acme' }] },
    { run: 'role set reader --name looker' },
    { run: 'role show looker', gives: { name: 'looker' } },
    { run: 'role list', gives: with_({ Name: 'identity-operator' }, { Name: 'looker' }) },
    { run: 'role remove --project acme --user alicia member' },
    { run: 'role remove --domain default --user alicia looker' },
    { run: 'role assignment list --user alicia', gives: [] },
    { run: 'role delete looker' },
    { run: 'role show looker', fails: /looker/ },
    { run: 'user delete alicia' },
    { run: 'user show alicia', fails: /alicia/ },
    { run: 'project delete acme' },
    { run: 'project show acme', fails: /acme/ },
  ),
  'domains, groups, services, endpoints, regions': by(
    'admin',
    { run: 'domain list', gives: [{ Name: 'Default' }, { Name: 'Services' }] },
    { run: 'domain show default', gives: { name: 'Default' } },
    { run: 'group list', gives: [] },
    { run: 'service list', gives: with_({ Name: 'DNS' }, { Name: 'designate', Type: 'dns' }) },
    { run: 'service show DNS', gives: { name: 'DNS', type: 'ext:dns' } },
    { run: 'endpoint list --service DNS', gives: with_({ Interface: 'public' }) },
    { run: 'region list', gives: [{ Region: 'US-West' }] },
    { run: 'region show US-West' },
  ),
};

const CREDENTIALS: Readonly<Record<string, readonly Step[]>> = {
  'application credentials: made, used, deleted': [
    {
      run: 'application credential create all --description why --expiration 2040-01-31T00:00:00',
      gives: { name: 'all', description: 'why', unrestricted: false, secret: expect.any(String) },
      keep: 'credential',
    },
    {
      run: `application credential create acme --secret my-own-secret --access-rules '${JSON.stringify([RULE])}'`,
      gives: { name: 'acme', secret: 'my-own-secret', access_rules: [RULE] },
    },
    { run: 'application credential create free --unrestricted', fails: /unrestricted/ },
    { run: 'application credential list', gives: with_({ Name: 'all' }, { Name: 'acme' }) },
    { run: 'application credential show acme', gives: { name: 'acme', access_rules: [RULE] } },
    { as: 'credential', run: 'zone list', gives: [] },
    { as: 'credential', run: 'application credential create more', fails: /HTTP 403/ },
    { run: 'application credential delete all acme' },
    { run: 'application credential show acme', fails: /acme/ },
    { as: 'credential', run: 'zone list', fails: /HTTP 401/ },
  ],
};

/** Every command of python3-designateclient. */
const DNS: Readonly<Record<string, readonly Step[]>> = {
  zone: [
    {
      run: 'zone create commands.example. --email a@example.com',
      gives: { name: 'commands.example.', status: 'PENDING', ttl: 3600, type: 'PRIMARY' },
      keep: 'zone',
    },
    { run: 'zone create commands.example. --email a@example.com', fails: /commands\.example/ },
    { run: 'zone create no-mail.example.', fails: /email/ },
    {
      run: 'zone create s.example. --type SECONDARY --masters 192.0.2.1',
      keep: 'secondary',
      gives: { type: 'SECONDARY', masters: '192.0.2.1:53' },
    },
    { run: 'zone axfr {secondary.id}' },
    { run: 'zone delete {secondary.id}', gives: { status: 'PENDING', action: 'DELETE' } },
    { run: 'zone show commands.example.', gives: { status: 'ACTIVE' }, isAwaited: true },
    {
      run: 'zone list --email a@example.com --status ACTIVE --ttl 3600 --type PRIMARY',
      gives: [{ id: '{zone.id}', name: 'commands.example.', status: 'ACTIVE' }],
    },
    { run: 'zone list --name no*', gives: [] },
    {
      run: "zone set commands.example. --ttl 600 --description 'of a test'",
      gives: { ttl: 600, description: 'of a test' },
    },
    { run: "zone list --description 'of a*'", gives: [{ name: 'commands.example.' }] },
    {
      run: 'zone set {zone.id} --email b@example.com --no-description',
      gives: { email: 'b@example.com', description: null },
    },
    { run: 'zone set {zone.id} --masters 192.0.2.1', fails: /SECONDARY/ },
    { run: 'zone abandon {zone.id}', fails: /Delete the zone/ },
    { run: 'zone axfr {zone.id}', fails: /SECONDARY/ },
    { run: 'zone create x.commands.example. --email a@example.com', keep: 'other', gives: {} },
    { as: 'receiver', run: 'zone show {other.id}', fails: /no zone with this id/ },
    { run: 'zone delete {other.id}', gives: { status: 'PENDING', action: 'DELETE' } },
    { run: 'zone show {other.id}', fails: /^There is no zone with this id\.$/m },
  ],
  'recordset: values go back as they were written': [
    {
      run: 'recordset create commands.example. www --type A --ttl 60 --record 192.0.2.1 --record 192.0.2.2',
      gives: {
        name: 'www.commands.example.',
        type: 'A',
        records: '192.0.2.1\n192.0.2.2',
        ttl: 60,
      },
      keep: 'www',
    },
    {
      run: "recordset create {zone.id} commands.example. --type MX --record '10 mx.example.net.'",
      gives: { records: '10 mx.example.net.' },
    },
    {
      run: `recordset create {zone.id} t.commands.example. --type TXT --record '"a" "b"' --description d`,
      gives: { records: '"a" "b"', description: 'd' },
    },
    {
      run: 'recordset show commands.example. {www.id}',
      gives: { status: 'ACTIVE', action: 'NONE' },
      isAwaited: true,
    },
    {
      run: 'recordset list commands.example.',
      gives: with_({ type: 'SOA' }, { type: 'NS' }, { type: 'A' }, { type: 'MX' }, { type: 'TXT' }),
    },
    {
      run: 'recordset list all --type A --data 192.0.2.2 --ttl 60 --name www*',
      gives: [{ id: '{www.id}', zone_name: 'commands.example.' }],
    },
    {
      run: 'recordset set commands.example. {www.id} --record 192.0.2.2 --record 192.0.2.3',
      gives: { records: '192.0.2.2\n192.0.2.3', ttl: 60 },
    },
    {
      run: 'recordset set {zone.id} www.commands.example. --no-ttl --description here',
      gives: { ttl: null, description: 'here', records: '192.0.2.2\n192.0.2.3' },
    },
    { run: 'recordset create {zone.id} w --type A --record x', fails: /"x"/ },
    { run: 'recordset create {zone.id} www --type CNAME --record a.example.', fails: /CNAME/ },
    { run: 'recordset delete commands.example. {www.id}', gives: { action: 'DELETE' } },
    { run: 'recordset show commands.example. {www.id}', fails: /recordset/ },
  ],
  'zone import and export': [
    { run: 'zone import create {file}', gives: { status: 'PENDING' }, keep: 'import' },
    {
      run: 'zone import show {import.id}',
      gives: { status: 'COMPLETE', message: 'imported.example. imported' },
      keep: 'imported',
    },
    {
      run: 'zone import list',
      gives: [{ zone_id: '{imported.zone_id}', status: 'COMPLETE' }],
    },
    { run: 'zone import delete {import.id}' },
    { run: 'zone import list', gives: [] },
    {
      run: 'zone export create {imported.zone_id}',
      gives: { status: 'PENDING', zone_id: '{imported.zone_id}' },
      keep: 'export',
    },
    { run: 'zone export show {export.id}', gives: { status: 'COMPLETE' } },
    { run: 'zone export list', gives: [{ id: '{export.id}', status: 'COMPLETE' }] },
    {
      run: 'zone export showfile {export.id}',
      gives: {
        data: expect.stringMatching(/\$ORIGIN imported\.example\.[^]*www[^]*192\.0\.2\.1/),
      },
    },
    { as: 'receiver', run: 'zone export show {export.id}', fails: /no export with this id/ },
    { run: 'zone export delete {export.id}' },
    { run: 'zone export list', gives: [] },
  ],
  'zone transfer: request and accept': [
    {
      run: 'zone transfer request create {imported.zone_id} --description first',
      gives: { description: 'first' },
      keep: 'first',
    },
    { run: 'zone transfer request delete {first.id}' },
    {
      run: 'zone transfer request create {imported.zone_id}',
      gives: { status: 'ACTIVE', zone_name: 'imported.example.' },
      keep: 'request',
    },
    {
      run: "zone transfer request set {request.id} --description 'to a friend'",
      gives: { description: 'to a friend', key: null },
    },
    {
      run: 'zone transfer request show {request.id}',
      gives: { status: 'ACTIVE', key: '{request.key}' },
    },
    { run: 'zone transfer request list', gives: [{ id: '{request.id}' }] },
    ...by(
      'receiver',
      {
        run: 'zone transfer accept request --transfer-id {request.id} --key WRONG',
        fails: /key/,
      },
      {
        run: 'zone transfer accept request --transfer-id {request.id} --key {request.key}',
        gives: { status: 'COMPLETE', zone_id: '{imported.zone_id}', key: '{request.key}' },
        keep: 'accept',
      },
      {
        run: 'zone transfer accept show {accept.id}',
        gives: { zone_id: '{imported.zone_id}' },
      },
      { run: 'zone transfer accept list', gives: [{ id: '{accept.id}' }] },
    ),
    { run: 'zone export create {imported.zone_id}', fails: /no zone with this id/ },
    { as: 'receiver', run: 'zone delete {imported.zone_id}' },
  ],
  'dns quota and service: an operator sees and acts for other projects': by(
    'receiver',
    {
      run: 'dns quota list',
      gives: {
        api_export_size: 500,
        recordset_records: 100,
        zone_records: 500,
        zone_recordsets: 500,
        zones: 20,
      },
    },
    { run: 'dns quota set --project-id {demo.project} --zones 30', gives: { zones: 30 } },
    { as: 'demo', run: 'dns quota list', gives: { zones: 30 } },
    { as: 'demo', run: 'dns quota set --project-id {demo.project} --zones 31', fails: /operator/i },
    { run: 'dns quota reset --project-id {demo.project}' },
    { as: 'demo', run: 'dns quota list', gives: { zones: 20 } },
    { run: 'dns service list', gives: with_({ status: 'UP' }), keep: 'services' },
    {
      run: 'dns service show {services.0.id}',
      gives: {
        hostname: '{services.0.hostname}',
        service_name: '{services.0.service_name}',
      },
    },
    { as: 'demo', run: 'dns service list', fails: /operator/i },
    { run: 'zone list', gives: [] },
    { run: 'zone list --all-projects', gives: [{ project_id: '{demo.project}' }] },
    { run: 'zone list --sudo-project-id {demo.project}', gives: [{ id: '{zone.id}' }] },
    { run: 'zone list --sudo-project-id another', gives: [] },
    { as: 'demo', run: 'zone list --all-projects', fails: /role/i },
  ),
  'tld and zone blacklist': by(
    'receiver',
    {
      run: 'tld create --name example --description x',
      gives: { name: 'example', description: 'x' },
      keep: 'tld',
    },
    { run: 'tld show example', gives: { id: '{tld.id}' } },
    { run: 'tld list', gives: [{ id: '{tld.id}', name: 'example' }] },
    {
      run: 'tld set {tld.id} --name org --no-description',
      gives: { name: 'org', description: null },
    },
    { as: 'demo', run: 'zone create b.example. --email a@example.com', fails: /tld|top/i },
    { run: 'tld delete org' },
    { run: 'tld list', gives: [] },
    {
      run: 'zone blacklist create --pattern ^bad\\.',
      gives: { pattern: '^bad\\.' },
      keep: 'blacklist',
    },
    { as: 'demo', run: 'zone create bad.example. --email a@example.com', fails: /bad\.example/ },
    { run: 'zone blacklist show {blacklist.id}', gives: { pattern: '^bad\\.' } },
    { run: 'zone blacklist list', gives: [{ id: '{blacklist.id}', pattern: '^bad\\.' }] },
    {
      run: 'zone blacklist set {blacklist.id} --pattern ((a{1,255}){1,255})',
      fails: /repeats too much/,
    },
    {
      run: 'zone blacklist set {blacklist.id} --pattern ^worse\\. --description y',
      gives: { description: 'y', pattern: '^worse\\.' },
    },
    { as: 'demo', run: 'zone blacklist list', fails: /operator/i },
    { run: 'zone blacklist delete {blacklist.id}' },
    { run: 'zone blacklist list', gives: [] },
  ),
  tsigkey: by(
    'receiver',
    {
      run: `tsigkey create --name transfer-key --algorithm hmac-sha256 --secret ${TSIG_SECRET} --scope POOL --resource-id ${POOL}`,
      gives: { name: 'transfer-key', secret: TSIG_SECRET },
      keep: 'key',
    },
    { run: 'tsigkey show transfer-key', gives: { id: '{key.id}', secret: null } },
    { run: 'tsigkey list', gives: [{ id: '{key.id}', secret: '' }] },
    {
      run: 'tsigkey set {key.id} --algorithm hmac-sha512',
      gives: { algorithm: 'hmac-sha512', secret: null },
    },
    { as: 'demo', run: 'tsigkey list', fails: /operator/i },
    { run: 'tsigkey delete {key.id}' },
    { run: 'tsigkey list', gives: [] },
  ),
  'ptr record: there are no floating addresses': [
    { run: 'ptr record list', fails: /^This resource does not exist\.$/m },
    { run: 'ptr record show US-West:{zone.id}', fails: /^This resource does not exist\.$/m },
    {
      run: 'ptr record set US-West:{zone.id} p.example.',
      fails: /^This resource does not exist\.$/m,
    },
    { run: 'ptr record unset US-West:{zone.id}', fails: /^This resource does not exist\.$/m },
  ],
  'what is left is deleted': [{ run: 'zone delete commands.example.' }],
};

/** Steps in order. Objects of one part may be used in the next ones. */
export const OPENSTACK_STEPS = Object.entries({ ...ACCOUNTS, ...CREDENTIALS, ...DNS });
