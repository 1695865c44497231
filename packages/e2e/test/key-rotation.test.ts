import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useTestDatabase, waitFor } from '@zonewright/testkit';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { call } from './support/clients.js';
import { adminJson, runAdmin, ServiceProcess } from './support/programs.js';

const database = useTestDatabase();

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
/** Time limit on a machine that runs everything at once. The promise is a second. */
const SOON_MS = 3_000;
const OLD = key('k1');
const NEW = key('k2');

interface AccessKeyPair {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** Replica of a service. While it restarts, clients use the other one, as behind a load balancer. */
interface Replica {
  process: ServiceProcess;
  isServing: boolean;
  busy: number;
}

describe('rotating keys while two replicas of identity-service are under load', () => {
  const replicas: Replica[] = [];
  const failures: string[] = [];
  const made: AccessKeyPair[] = [];
  let isOver = false;
  let clients: Promise<void>[] = [];

  const serviceEnv = (keys: string) => ({
    DATABASE_URL: database.urlAs('zonewright_identity'),
    ENCRYPTION_KEYS: keys,
    IDENTITY_HOST: '127.0.0.1',
    IDENTITY_PORT: '0',
    IDENTITY_OPERATIONS_PORT: '0',
    RATE_LIMITS: 'false',
    ACCESS_KEY_QUOTA: '100000',
  });
  const adminEnv = (keys: string) => ({
    DATABASE_URL: database.urlAs('zonewright_operator'),
    ENCRYPTION_KEYS: keys,
  });
  const startReplica = (keys: string) => ServiceProcess.start('identity-service', serviceEnv(keys));

  async function restartAll(keys: string): Promise<void> {
    for (const replica of replicas) {
      replica.isServing = false;
      await waitFor(() => replica.busy === 0);
      await replica.process.stop();
      replica.process = await startReplica(keys);
      replica.isServing = true;
    }
  }

  const urlOf = ({ process }: Replica) => process.addresses['http'] ?? '';

  async function logIn(url: string, { accessKey, secretKey }: AccessKeyPair): Promise<string> {
    const { status, body } = await call(`${url}/v2.0/tokens`, {
      method: 'POST',
      body: { auth: { apiAccessKeyCredentials: { accessKey, secretKey } } },
    });
    if (status !== 200) throw new Error(`log-in: ${status} ${JSON.stringify(body)}`);
    return (body as { access: { token: { id: string } } }).access.token.id;
  }

  async function isAccepted(url: string, token: string): Promise<boolean> {
    const { status } = await call(`${url}/v2.0/tenants`, { token });
    if (status !== 200 && status !== 401) throw new Error(`list tenants: ${status}`);
    return status === 200;
  }

  /** Logs in with a random key, uses the token, and creates another key. */
  async function work(url: string): Promise<void> {
    const token = await logIn(url, made[Math.floor(Math.random() * made.length)]!);
    if (!(await isAccepted(url, token))) throw new Error('a token of this moment is refused');
    const { status, body } = await call(`${url}/v2.0/EXT-IDM/v1.0/accesskeys`, {
      method: 'POST',
      token,
      body: { accessKey: {} },
    });
    if (status !== 201) throw new Error(`new access key: ${status} ${JSON.stringify(body)}`);
    const { accessKeyId, secretKey } = (body as { accessKey: Record<string, string> }).accessKey;
    made.push({ accessKey: accessKeyId!, secretKey: secretKey! });
  }

  async function beClient(): Promise<void> {
    while (!isOver) {
      const serving = replicas.filter(({ isServing }) => isServing);
      const replica = serving[Math.floor(Math.random() * serving.length)]!;
      replica.busy++;
      await work(urlOf(replica)).catch((error: unknown) => failures.push(String(error)));
      replica.busy--;
      await delay(20);
    }
  }

  beforeAll(async () => {
    const env = adminEnv(OLD);
    const urls = ['--identity-url', 'http://identity.test', '--dns-url', 'http://dns.test'];
    await adminJson(['bootstrap', ...urls, '--nameserver-domain', 'ns.test'], env);
    await adminJson(['user', 'create', 'worker', '--no-password'], env);
    const first = await adminJson<{ id: string; secretKey: string }>(
      ['access-key', 'create', '--user', 'worker'],
      env,
    );
    made.push({ accessKey: first.id, secretKey: first.secretKey });
    for (let count = 0; count < 2; count++) {
      replicas.push({ process: await startReplica(OLD), isServing: true, busy: 0 });
    }
    clients = [beClient(), beClient(), beClient()];
  }, 60_000);
  afterAll(async () => {
    isOver = true;
    await Promise.all(clients);
    await Promise.all(replicas.map(({ process }) => process.stop()));
  });

  const keyIdOf = (token: string) =>
    (JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as { kid: string }).kid;

  it('all replicas use a new signing key within a second; older tokens stay valid until the old key is retired', async () => {
    const before = await logIn(urlOf(replicas[0]!), made[0]!);
    const { id } = await adminJson<{ id: string }>(['signing-key', 'rotate'], adminEnv(OLD));
    await Promise.all(
      replicas.map((replica) =>
        waitFor(async () => keyIdOf(await logIn(urlOf(replica), made[0]!)) === id, SOON_MS),
      ),
    );
    for (const replica of replicas) expect(await isAccepted(urlOf(replica), before)).toBe(true);

    // Tokens of the key may be valid, so only --force retires it.
    const early = await runAdmin(['signing-key', 'retire', keyIdOf(before)], adminEnv(OLD));
    expect(early.exitCode).toBe(4);
    await adminJson(['signing-key', 'retire', keyIdOf(before), '--force'], adminEnv(OLD));
    for (const replica of replicas) {
      await waitFor(async () => !(await isAccepted(urlOf(replica), before)), SOON_MS);
    }
    // Clients between login and use lost their token at that moment, which is the purpose of force.
    failures.splice(0);
  }, 30_000);

  it('another encryption key takes over without a failed request, and old secrets can still be opened', async () => {
    await restartAll(`${OLD},${NEW}`);
    await restartAll(`${NEW},${OLD}`);
    const token = await logIn(urlOf(replicas[0]!), made[0]!);
    const resealed = await adminJson<{ resealed: number; remaining: number; unreadable: string[] }>(
      ['encryption-key', 'reseal'],
      adminEnv(`${NEW},${OLD}`),
    );
    expect(resealed).toMatchObject({ remaining: 0, unreadable: [] });
    expect(resealed.resealed).toBeGreaterThan(10);
    await restartAll(NEW);
    for (const replica of replicas) expect(await isAccepted(urlOf(replica), token)).toBe(true);
    isOver = true;
    await Promise.all(clients);
    for (const pair of made) await logIn(urlOf(replicas[0]!), pair);
    expect(failures).toEqual([]);
    const survey = await adminJson<{ id: string }[]>(['encryption-key', 'list'], adminEnv(NEW));
    expect(survey.map(({ id }) => id)).toEqual(['k2']);
  }, 60_000);
});
