import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useTestDatabase, waitFor } from '@zonewright/testkit';
import { randomBytes } from 'node:crypto';
import { type ApiAnswer, call, insist } from './support/clients.js';
import { adminJson, ServiceProcess } from './support/programs.js';
import {
  type CollectedSpan,
  KIND,
  STATUS_ERROR,
  TraceCollector,
} from './support/trace-collector.js';

/** Time limit on a busy machine. A batch is sent after a second. */
const COLLECTED_WITHIN_MS = 10_000;
/** Time limit. The exporter retries a batch for 5 s before it gives up. */
const REPORTED_WITHIN_MS = 20_000;

const SECRETS = {
  password: `password-${randomBytes(6).toString('hex')}`,
  serviceKey: 'SERVICEKEYOFDNSAPI00',
  serviceSecret: randomBytes(30).toString('base64url'),
  collectorKey: randomBytes(12).toString('hex'),
  recordData: '203.0.113.177',
};
const ENCRYPTION_KEYS = `k1:${randomBytes(32).toString('base64')}`;

/**
 * Prints the OpenTelemetry modules that were run, except for its API, which prom-client contains: in the file of a
 * program, each module is a function named after its path.
 */
const REPORT_MODULES = `import { Session } from 'node:inspector';
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true });
  process.on('exit', () => session.post('Profiler.takePreciseCoverage', (error, { result }) => {
    const run = result.flatMap(({ functions }) => functions).filter(({ ranges }) => ranges[0].count > 0);
    const names = run.map(({ functionName }) => functionName);
    process.stderr.write('LOADED ' + names.filter((name) => /@opentelemetry.(?!api)/.test(name)) + '\\n');
  }));`;

const database = useTestDatabase();
const newTraceId = () => randomBytes(16).toString('hex');
const CALLER_SPAN = 'b7ad6b7169203331';

let collector: TraceCollector;
let identity: ServiceProcess;
let api: ServiceProcess;
let zoneUrl: string;
const tokens: string[] = [];

const operatorEnv = () => ({
  DATABASE_URL: database.urlAs('zonewright_operator'),
  ENCRYPTION_KEYS,
  ADMINISTRATOR_PASSWORD: SECRETS.password,
  DNS_API_SERVICE_ACCESS_KEY: SECRETS.serviceKey,
  DNS_API_SERVICE_SECRET_KEY: SECRETS.serviceSecret,
});
const tracingEnv = () => ({
  LOG_LEVEL: 'info',
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}/`,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${SECRETS.collectorKey}`,
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=a%20test',
});
const identityEnv = () => ({
  DATABASE_URL: database.urlAs('zonewright_identity'),
  ENCRYPTION_KEYS,
  IDENTITY_HOST: '127.0.0.1',
  IDENTITY_PORT: '0',
  IDENTITY_OPERATIONS_PORT: '0',
  RATE_LIMITS: 'false',
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(REPORT_MODULES)}`,
});
const urlOf = ({ addresses }: ServiceProcess) => addresses['http'] ?? '';

async function prepareTenant(): Promise<void> {
  const env = operatorEnv();
  const urls = ['--identity-url', 'http://identity.test', '--dns-url', 'http://dns.test'];
  await adminJson(['bootstrap', ...urls, '--nameserver-domain', 'ns.test'], env);
  await adminJson(['tenant', 'create', 'traced'], env);
  await adminJson(['user', 'create', 'traced', '--password-stdin'], env, SECRETS.password);
  for (const role of ['member', 'dns-admin']) {
    await adminJson(['role', 'grant', role, 'traced', '--tenant', 'traced'], env);
  }
  await adminJson(['service', 'activate', 'DNS', 'traced'], env);
}

async function logIn(): Promise<string> {
  const { body } = await call(`${urlOf(identity)}/v2.0/tokens`, {
    method: 'POST',
    body: {
      auth: {
        passwordCredentials: { username: 'traced', password: SECRETS.password },
        tenantName: 'traced',
      },
    },
  });
  const { id } = (body as { access: { token: { id: string } } }).access.token;
  tokens.push(id);
  return id;
}

let records = 0;
function createRecord(
  token: string,
  traceparent?: string,
  further: Readonly<Record<string, string>> = {},
): Promise<ApiAnswer> {
  records += 1;
  return call(`${zoneUrl}/records`, {
    method: 'POST',
    token,
    headers: { ...(traceparent === undefined ? {} : { traceparent }), ...further },
    body: { name: `r${records}.traced.example.`, type: 'A', data: SECRETS.recordData },
  });
}

/** Finds the log line of the request for a response. */
function findLogLine(
  service: ServiceProcess,
  requestId: unknown,
): Record<string, unknown> | undefined {
  const line = service.output
    .split('\n')
    .find((each) => each.includes('"msg":"request"') && each.includes(String(requestId)));
  return line === undefined ? undefined : (JSON.parse(line) as Record<string, unknown>);
}

const countLines = (service: ServiceProcess, message: string) =>
  service.output.split(`"msg":"${message}"`).length - 1;

beforeAll(async () => {
  collector = await TraceCollector.start();
  await prepareTenant();
  identity = await ServiceProcess.start('identity-service', { ...identityEnv(), ...tracingEnv() });
  api = await ServiceProcess.start('dns-api', {
    DATABASE_URL: database.urlAs('zonewright_dns_api'),
    IDENTITY_URL: urlOf(identity),
    DNS_API_SERVICE_ACCESS_KEY: SECRETS.serviceKey,
    DNS_API_SERVICE_SECRET_KEY: SECRETS.serviceSecret,
    DNS_API_HOST: '127.0.0.1',
    DNS_API_PORT: '0',
    DNS_API_OPERATIONS_PORT: '0',
    DNS_API_MAX_DOMAIN_RECORDS: '100000',
    ...tracingEnv(),
  });
  const domain = await insist(`${urlOf(api)}/v1/domains`, {
    method: 'POST',
    token: await logIn(),
    body: { name: 'traced.example.', email: 'hostmaster@traced.example' },
  });
  zoneUrl = `${urlOf(api)}/v1/domains/${(domain.body as { id: string }).id}`;
}, 90_000);
afterAll(async () => {
  await api.stop();
  await identity.stop();
  await collector.stop();
});

describe('the trace of a Create Record with a fresh token', () => {
  const traceId = newTraceId();
  let answer: ApiAnswer;
  let spans: CollectedSpan[];
  const find = (service: string, kind: number, name: string) =>
    spans.find((span) => span.service === service && span.kind === kind && span.name === name)!;
  const statementsOf = ({ spanId }: CollectedSpan) =>
    spans.filter(
      ({ parentSpanId, attributes }) => parentSpanId === spanId && 'db.query.text' in attributes,
    );

  beforeAll(async () => {
    answer = await createRecord(await logIn(), `00-${traceId}-${CALLER_SPAN}-01`, {
      'Idempotency-Key': newTraceId(),
    });
    await waitFor(
      () => collector.ofTrace(traceId).filter(({ kind }) => kind === KIND.server).length === 2,
      COLLECTED_WITHIN_MS,
    );
    spans = collector.ofTrace(traceId);
  }, 30_000);

  it('leads from the caller through dns-api and identity-service to PostgreSQL', () => {
    expect(answer.status).toBe(200);
    const request = find('dns-api', KIND.server, 'POST /v1/domains/{domainId}/records');
    expect(request.parentSpanId).toBe(CALLER_SPAN);
    expect(request.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v1/domains/{domainId}/records',
      'http.response.status_code': 200,
      'url.scheme': 'http',
      'zonewright.request_id': answer.headers.get('x-openstack-request-id'),
    });
    const validation = find('dns-api', KIND.client, 'GET /v3/auth/tokens');
    expect(validation.parentSpanId).toBe(request.spanId);
    expect(validation.attributes).toMatchObject({
      'url.full': `${urlOf(identity)}/v3/auth/tokens`,
      'http.response.status_code': 200,
    });
    const asked = find('identity-service', KIND.server, 'GET /v3/auth/tokens');
    expect(asked.parentSpanId).toBe(validation.spanId);
    expect(statementsOf(asked).length).toBeGreaterThan(0);

    const statements = statementsOf(request);
    const names = statements.map(({ name }) => name);
    // One statement reads what the change needs, and one writes the zone, its records and the journal. The name of a
    // statement is that of its first part.
    expect(names).toEqual(['SELECT dns.idempotency_keys', 'UPDATE dns.domains']);
    expect(statements.find(({ name }) => name === 'UPDATE dns.domains')?.attributes).toMatchObject({
      'db.system.name': 'postgresql',
      'db.operation.name': 'UPDATE',
      'db.query.text': expect.stringMatching(/insert into dns\.records\s.*\$4/s),
    });
  });

  it('each log line about it has its ids', async () => {
    for (const service of ['dns-api', 'identity-service']) {
      const span = spans.find((each) => each.service === service && each.kind === KIND.server)!;
      const line = await waitFor(() =>
        findLogLine(
          service === 'dns-api' ? api : identity,
          span.attributes['zonewright.request_id'],
        ),
      );
      expect(line).toMatchObject({ trace_id: traceId, span_id: span.spanId });
    }
    expect(api.output).toMatch(new RegExp(`"trace_id":"${traceId}".*"msg":"audit"`));
  });

  it('is sent to the collector with its headers, and names the service', () => {
    expect(collector.headers.authorization).toBe(`Bearer ${SECRETS.collectorKey}`);
    expect(collector.bodies.join('')).toContain('"deployment.environment.name"');
  });
});

describe('what the caller determines about the trace', () => {
  const traceOf = async (traceparent?: string) => {
    const { headers } = await createRecord(tokens[0]!, traceparent);
    const line = await waitFor(() => findLogLine(api, headers.get('x-openstack-request-id')));
    return String(line['trace_id']);
  };

  it('parentbased: a request that the caller does not sample is not recorded, and the log has its ids', async () => {
    const notSampled = newTraceId();
    expect(await traceOf(`00-${notSampled}-${CALLER_SPAN}-00`)).toBe(notSampled);
    const later = await traceOf();
    // A request for one record: one statement reads and one writes.
    const hasWritten = () =>
      collector.ofTrace(later).some(({ name }) => name === 'UPDATE dns.domains');
    await waitFor(hasWritten, COLLECTED_WITHIN_MS);
    expect(collector.ofTrace(notSampled)).toEqual([]);
  });
});

describe('what traces do not contain', () => {
  it('contains no token, password, key or record, although paths, headers, bodies and statements had them', async () => {
    const token = await logIn();
    const key = await adminJson<{ id: string; secretKey: string }>(
      ['access-key', 'create', '--user', 'traced'],
      operatorEnv(),
    );
    await call(`${urlOf(identity)}/v2.0/tokens`, {
      method: 'POST',
      body: {
        auth: { apiAccessKeyCredentials: { accessKey: key.id, secretKey: key.secretKey } },
      },
    });
    await call(`${urlOf(identity)}/v2.0/tokens/${token}?belongsTo=elsewhere`, { token });
    await call(`${urlOf(api)}/v1/domains?name=${SECRETS.password}`, { token });
    await fetch(`${urlOf(api)}/v1/${SECRETS.password}?${SECRETS.password}`);
    // Messages of conflicts repeat what was sent.
    await call(`${urlOf(api)}/v1/domains`, {
      method: 'POST',
      token,
      body: { name: 'traced.example.', email: 'hostmaster@traced.example' },
    });
    await call(`${urlOf(identity)}/v2.0/tokens/${token}`, { method: 'DELETE', token });
    const revoked = await call(zoneUrl, { token });
    expect(revoked.status).toBe(401);
    const isLast = ({ attributes }: CollectedSpan) =>
      attributes['zonewright.request_id'] === revoked.headers.get('x-openstack-request-id');
    await waitFor(() => collector.spans.some(isLast), COLLECTED_WITHIN_MS);
    await waitFor(
      () => collector.spans.some(({ name }) => name === 'DELETE /v2.0/tokens/{tokenId}'),
      COLLECTED_WITHIN_MS,
    );

    const exported = collector.bodies.join('\n');
    const signatures = tokens.map((each) => each.split('.').at(-1)!);
    const secrets = [...Object.values(SECRETS), ...tokens, ...signatures, key.id, key.secretKey];
    expect(secrets.filter((secret) => exported.includes(secret))).toEqual([]);
    expect(exported).not.toContain('traced.example');
    expect(exported).not.toContain(ENCRYPTION_KEYS.slice(3));
  }, 30_000);

  it('leaves out work without a request, and probes', () => {
    expect(collector.spans.filter(({ kind }) => kind === KIND.server)).not.toHaveLength(0);
    const parents = new Set(collector.spans.map(({ spanId }) => spanId));
    const orphans = collector.spans.filter(
      ({ kind, parentSpanId = '' }) => kind === KIND.client && !parents.has(parentSpanId),
    );
    expect(orphans).toEqual([]);
  });
});

describe('an unavailable collector', () => {
  it('requests continue, the log reports the failure once, and traces arrive again later', async () => {
    const { port } = collector;
    await collector.stop();
    const token = await logIn();
    for (let made = 0; made < 10; made++) expect((await createRecord(token)).status).toBe(200);
    const lost = 'traces cannot be sent; they are dropped';
    await waitFor(() => countLines(api, lost) > 0, REPORTED_WITHIN_MS);
    expect((await createRecord(token)).status).toBe(200);

    collector = await TraceCollector.start(port);
    await waitFor(() => countLines(api, 'traces can be sent again') > 0, REPORTED_WITHIN_MS);
    expect(countLines(api, lost)).toBe(1);
    expect(api.output).not.toContain(SECRETS.collectorKey);
  }, 60_000);

  it('a request that fails because the identity service is missing is marked as failed', async () => {
    await identity.stop();
    const { status, headers } = await createRecord(tokens[0]!);
    expect(status).toBe(503);
    const requestId = headers.get('x-openstack-request-id');
    const span = await waitFor(
      () =>
        collector.spans.find(({ attributes }) => attributes['zonewright.request_id'] === requestId),
      COLLECTED_WITHIN_MS,
    );
    expect(span).toMatchObject({ statusCode: STATUS_ERROR, attributes: { 'error.type': '503' } });
  }, 30_000);

  it('does not keep a process from ending if it does not respond', async () => {
    collector.isSilent = true;
    await createRecord(tokens[0]!);
    // Retrying a batch would take the exporter 5 s, and after 8 s the process would be killed.
    const deadline = new Promise((resolve) => setTimeout(resolve, 4_500, 'late').unref());
    expect(await Promise.race([api.stop(), deadline])).toBe(0);
  }, 20_000);
});

describe('without a collector', () => {
  const modulesOf = ({ output }: ServiceProcess) => /LOADED (.*)$/m.exec(output)?.[1];

  it('no module of OpenTelemetry is loaded', async () => {
    const other = await ServiceProcess.start('identity-service', identityEnv());
    await other.stop();
    expect(modulesOf(other)).toBe('');
    expect(modulesOf(identity)).toContain('@opentelemetry/sdk-trace');
  }, 30_000);
});
