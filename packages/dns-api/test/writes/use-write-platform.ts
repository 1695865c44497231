import { beforeAll } from '@jest/globals';
import { type Database, generateKeyringText } from '@zonewright/database';
import {
  type Message,
  type MessageRecord,
  nameToWire,
  RCODE,
  rcodeOf,
  readMessage,
  RR_CLASS,
  RR_TYPE,
  signRequest,
  type TsigKey,
  writeMessage,
} from '@zonewright/dns-records';
import {
  activateService,
  addNameservers,
  assignRole,
  insertAccessKey,
  insertRole,
  insertUser,
  waitFor,
} from '@zonewright/testkit';
import { keyring, usePlatform } from '../support/use-platform.js';
import { type signerEnv, type TestSigner, useSigner } from '../support/use-signer.js';

/** The caller: the owner, the owner's restricted key without massDelete, or a project with which zones are shared. */
export type Who = 'owner' | 'restricted' | 'sharer';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

/** An update before it is signed: its prerequisites are `answers`, and its steps `authorities`. */
export interface UpdateMessage {
  readonly who: 'owner' | 'restricted';
  readonly zone: string;
  readonly parts: Partial<Message>;
}

/** The response code of an update, and the zone's serial after it. */
export interface UpdateAnswer {
  readonly rcode: string;
  readonly serial: number | undefined;
}

/** All interfaces that write zones, used only from outside: HTTP, and DNS messages as nameservers relay them. */
export interface WritePlatform {
  readonly db: Database;
  readonly signer: TestSigner;
  readonly sharerId: string;
  call(who: Who, method: Method, path: string, body?: object | string): Promise<Answer>;
  callWith(headers: object, ...call: Parameters<WritePlatform['call']>): Promise<Answer>;
  sign(message: UpdateMessage): Uint8Array;
  /** Sends signed updates in one call, as a nameserver does. */
  relay(signed: readonly Uint8Array[]): Promise<UpdateAnswer[]>;
  /** Signs updates and relays them. */
  update(messages: readonly UpdateMessage[]): Promise<UpdateAnswer[]>;
}

/** A rule for all records; the key may do everything except removing many of them. */
const RESTRICTIONS = {
  rules: [{ zone: '*', name: '**', types: ['*'], actions: ['read', 'update'] }],
};

const BOUNDS = {
  DNS_API_MAX_DOMAINS: '10000',
  DNS_API_PRIVATE_PRIMARIES: 'true',
  TRANSFER_ENCRYPTION_KEYS: generateKeyringText('k1'),
};

/** Starts identity-service, dns-api and signer for a test file. */
export function useWritePlatform(
  signing: Awaited<ReturnType<typeof signerEnv>>,
  env: Readonly<Record<string, string>> = {},
): WritePlatform {
  const platform = usePlatform({ env: () => ({ ...BOUNDS, ...signing, ...env }) });
  const signer = useSigner(
    {
      get databaseUrl() {
        return platform.databaseUrl;
      },
    },
    signing,
  );
  const tokens = new Map<string, string>();
  const keys = new Map<string, TsigKey>();
  let ids = 0;

  beforeAll(async () => {
    const { db, world } = platform;
    await addNameservers(db);
    const { user, tenant, secondTenant, accountDomainId, serviceIds } = world;
    await activateService(db, { tenantId: secondTenant.id, serviceId: serviceIds.dns });
    tokens.set('owner', await platform.login(user, tenant.id));
    tokens.set('sharer', await platform.login(user, secondTenant.id));
    const machine = await insertUser(db, { accountDomainId });
    const roleId = await insertRole(db, { name: 'nameserver' });
    await assignRole(db, { userId: machine.id, roleId });
    tokens.set('nameserver', await platform.login(machine));
    const secretKey = Buffer.alloc(30, 7).toString('base64');
    const ownKey = await insertAccessKey(db, keyring, {
      userId: user.id,
      accountDomainId,
      secretKey,
    });
    keys.set('owner', toTsigKey(ownKey.accessKey, secretKey));
    const restricted = await makeRestrictedKey();
    keys.set('restricted', toTsigKey(restricted.accessKeyId, restricted.secretKey));
    tokens.set('restricted', await logInByKey(restricted));
  });

  async function identity(path: string, body: object, token?: string): Promise<unknown> {
    const headers = {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { 'x-auth-token': token }),
    };
    const options = { method: 'POST', headers, body: JSON.stringify(body) };
    const url = `${platform.identityUrl}${path}`;
    let response = await fetch(url, options);
    // On a busy machine the service may have no time and answer 503.
    await waitFor(
      async () => response.status !== 503 || (response = await fetch(url, options)).status !== 503,
    );
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return await response.json();
  }

  async function makeRestrictedKey() {
    const body = { accessKey: { otherAttributes: { restrictions: RESTRICTIONS } } };
    const made = await identity('/v2.0/EXT-IDM/v1.0/accesskeys', body, tokens.get('owner'));
    return (made as { accessKey: { accessKeyId: string; secretKey: string } }).accessKey;
  }

  async function logInByKey(key: { accessKeyId: string; secretKey: string }): Promise<string> {
    const { accessKeyId: accessKey, secretKey } = key;
    const body = { auth: { apiAccessKeyCredentials: { accessKey, secretKey } } };
    const answer = await identity('/v2.0/tokens', body);
    return (answer as { access: { token: { id: string } } }).access.token.id;
  }

  async function ask(
    token: string,
    headers: object,
    [method, path, body]: readonly [Method, string, (object | string | undefined)?],
  ): Promise<Answer> {
    const isText = typeof body === 'string';
    const response = await fetch(`${platform.dnsUrl}${path}`, {
      method,
      headers: {
        'x-auth-token': tokens.get(token) ?? '',
        'content-type': isText ? 'text/dns' : 'application/json',
        ...headers,
      },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? (JSON.parse(text) as unknown) : text,
    };
  }

  function toUpdate(zone: string, parts: Partial<Message>): Uint8Array {
    ids = (ids + 1) % 0x1_0000;
    const questions = [rrOf(zone, 'SOA')];
    return writeMessage({ id: ids, flags: 0x2800, questions, ...parts });
  }

  function sign({ who, zone, parts }: UpdateMessage): Uint8Array {
    const key = keys.get(who);
    if (key === undefined) throw new Error('The keys do not exist before beforeAll.');
    return signRequest(toUpdate(zone, parts), key, Date.now() / 1_000).message;
  }

  async function relay(signed: readonly Uint8Array[]): Promise<UpdateAnswer[]> {
    const messages = signed.map((message) => ({
      ...{ message: Buffer.from(message).toString('base64') },
      ...{ source: '192.0.2.7', transport: 'tcp' },
    }));
    const path = '/internal/v1/updates';
    const { status, body } = await ask('nameserver', {}, ['POST', path, { messages }]);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return (body as { answers: RelayedAnswer[] }).answers.map(readAnswer);
  }

  return {
    get db() {
      return platform.db;
    },
    get signer() {
      return signer;
    },
    get sharerId() {
      return platform.world.secondTenant.id;
    },
    call: (who, ...call) => ask(who, {}, call),
    callWith: (headers, who, ...call) => ask(who, headers, call),
    sign,
    relay,
    update: (messages) => relay(messages.map(sign)),
  };
}

function toTsigKey(accessKeyId: string, secretKey: string): TsigKey {
  const secret = Buffer.from(secretKey, 'base64');
  return { name: `${accessKeyId}.`, algorithm: 'hmac-sha256', secret };
}

/** Returns a record of a message; without members it has no data. */
export function rrOf(
  name: string,
  type: keyof typeof RR_TYPE,
  members: Partial<MessageRecord> = {},
): MessageRecord {
  return {
    ...{ name: nameToWire(name), type: RR_TYPE[type], class: RR_CLASS.IN, ttl: 0 },
    ...{ rdata: new Uint8Array(), ...members },
  };
}

interface RelayedAnswer {
  readonly message: string | null;
  readonly published: { readonly serial: number } | null;
}

function readAnswer({ message, published }: RelayedAnswer): UpdateAnswer {
  if (message === null) return { rcode: 'SERVFAIL', serial: undefined };
  const rcode = rcodeOf(readMessage(Buffer.from(message, 'base64')));
  const name = Object.entries(RCODE).find(([, number]) => number === rcode)?.[0];
  return { rcode: name ?? String(rcode), serial: published?.serial };
}
