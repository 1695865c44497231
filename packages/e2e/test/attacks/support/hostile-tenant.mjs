// Program in which one tenant runs all known attacks at once until the end time, and reports the responses. It is a
// separate process of lower priority, so that it does not delay the measurement: real attackers have their own
// processors.
import {
  nameToWire,
  OPCODE,
  rdataToWire,
  RR_CLASS,
  RR_TYPE,
  signRequest,
  writeMessage,
} from '@zonewright/dns-records';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { getPriority, setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** Source address of attackers, in another network than honest clients. */
const SOURCE = '127.0.5.1';
const NETWORKS = 60;
const LOWEST_PRIORITY = 19;
const TICK_MS = 20;
const AT_A_TIME = { batches: 4, updates: 64, imports: 2, logins: 12, streams: 8 };
const SECONDARY_ZONES = 16;
const STREAMS = 2_000;
const PRIMARY_SAYS_EVERY_MS = 500;

const counts = {};
const count = (kind, status) => {
  counts[kind] ??= {};
  counts[kind][status] = (counts[kind][status] ?? 0) + 1;
};

process.once('message', async (work) => {
  setPriority(Math.min(LOWEST_PRIORITY, getPriority() + 10));
  const closers = [];
  const attack = { ...work, agent: new Agent({ keepAlive: true, localAddress: SOURCE }), closers };
  await takeSecondaries(attack);
  process.send('ready');
  const [until] = await once(process, 'message');
  const goOn = () => Date.now() < until;
  const times = (many, act) => Array.from({ length: many }, (_, at) => repeat(goOn, act, at));
  await Promise.all([
    ...times(AT_A_TIME.batches, () => sendBatch(attack)),
    ...times(AT_A_TIME.updates, () => sendUpdate(attack)),
    ...times(AT_A_TIME.imports, (at) => importRecords(attack, at)),
    ...times(AT_A_TIME.logins, (at) => logIn(attack, at)),
    ...times(AT_A_TIME.streams, () => openStream(attack)),
    floodMessages(attack, goOn),
  ]);
  for (const close of closers) close();
  attack.agent.destroy();
  process.send(counts, () => process.exit());
});

/** Runs at least once: on a busy machine the time may be over before its turn. */
async function repeat(goOn, act, at) {
  do await act(at);
  while (goOn());
}

/** @returns the status of the response; 0 if there was none */
async function send(kind, { agent }, url, { method = 'POST', headers = {}, body, keep = false }) {
  const sent = request(url, { agent: keep ? undefined : agent, localAddress: SOURCE, method });
  for (const [name, value] of Object.entries(headers)) sent.setHeader(name, value);
  const answered = once(sent, 'response').catch(() => []);
  sent.on('error', () => undefined);
  sent.end(body);
  const [response] = await answered;
  count(kind, response?.statusCode ?? 0);
  response?.on('error', () => undefined);
  response?.resume();
  if (!keep && response !== undefined) await once(response, 'close').catch(() => undefined);
  return { response, sent };
}

const asTenant = ({ tenant }, type = 'application/json') => ({
  'x-auth-token': tenant.token,
  'content-type': type,
});

/** Errors arrive fast, so repeating at once would only measure the attacker itself. */
const pauseIfRefused = ({ response }) => delay(response?.statusCode === 200 ? 0 : 50);

async function sendBatch(attack) {
  const { urls, zones } = attack;
  const operations = Array.from({ length: 1_000 }, (_, at) => ({
    action: 'create',
    record: { name: `b${Math.random()}-${at}.${zones.batches.name}`, type: 'TXT', data: 'x' },
  }));
  const body = JSON.stringify({ operations, atomic: false });
  const url = `${urls.dns}/v1/domains/${zones.batches.id}/batch`;
  await pauseIfRefused(await send('batches', attack, url, { headers: asTenant(attack), body }));
}

async function importRecords(attack, at) {
  const { urls, zones, importedRecords } = attack;
  const salt = Math.floor(Math.random() * 250);
  const line = (n) => `h${n} A 192.0.2.${(n + salt) % 250}\n`;
  const body = Array.from({ length: importedRecords }, (_, n) => line(n)).join('');
  const url = `${urls.dns}/v1/domains/${zones.imports[at].id}/import?mode=replace&confirm=true`;
  const headers = asTenant(attack, 'text/dns');
  await pauseIfRefused(await send('imports', attack, url, { headers, body }));
}

async function logIn(attack, at) {
  const { urls, usernames } = attack;
  const username = usernames[at % usernames.length];
  const password = `wrong ${Math.random()}`;
  const isConsole = at % 2 === 0;
  const body = isConsole
    ? { username, password }
    : { auth: { passwordCredentials: { username, password } } };
  const url = isConsole ? `${urls.console}/session` : `${urls.identity}/v2.0/tokens`;
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  await send('log-ins', attack, url, { headers, body: JSON.stringify(body) });
  await delay(20);
}

async function openStream(attack) {
  const { urls, tenant, closers } = attack;
  if (closers.length >= STREAMS) return await delay(100);
  const url = `${urls.console}/api/${tenant.tenantId}/dns/v1/events`;
  const headers = { cookie: tenant.cookie, 'sec-fetch-site': 'same-origin' };
  const answer = await send('streams', attack, url, { method: 'GET', headers, keep: true });
  if (answer.response?.statusCode === 200) closers.push(() => answer.sent.destroy());
  else await delay(100);
}

function updateOf(zone, key, at) {
  const questions = [record(zone, 'SOA')];
  const authorities = [
    record(`u${at}.${zone}`, 'A', {
      ttl: 60,
      rdata: rdataToWire('A', `192.0.2.${at % 250}`, null),
    }),
  ];
  const flags = OPCODE.UPDATE << 11;
  const message = writeMessage({ id: at & 0xffff, flags, questions, authorities });
  return signRequest(message, key, Date.now() / 1_000).message;
}

function record(name, type, members = {}) {
  const base = { name: nameToWire(name), type: RR_TYPE[type], class: RR_CLASS.IN, ttl: 0 };
  return { ...base, rdata: new Uint8Array(), ...members };
}

let updates = 0;
async function sendUpdate({ nameserver, zones, key }) {
  const message = updateOf(zones.updates.name, key, (updates += 1));
  const socket = connect({ ...nameserver, localAddress: SOURCE });
  socket.on('error', () => undefined);
  socket.write(Buffer.concat([Buffer.of(message.length >> 8, message.length & 0xff), message]));
  const signal = AbortSignal.timeout(15_000);
  const [answer] = await once(socket, 'data', { signal }).catch(() => []);
  count('updates', answer === undefined ? 0 : answer[5] & 0xf);
  socket.destroy();
}

/** Creates zones whose primary sends an octet from time to time, and never the whole zone. */
async function takeSecondaries(attack) {
  const { urls, closers, tenant } = attack;
  const server = createServer((socket) => {
    socket.on('error', () => undefined).resume();
    socket.write(Buffer.of(0xff, 0xff));
    const timer = setInterval(() => socket.write(Buffer.of(0)), PRIMARY_SAYS_EVERY_MS);
    socket.on('close', () => clearInterval(timer));
    closers.push(() => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close());
  const primaries = [{ address: '127.0.0.1', port: server.address().port }];
  for (let at = 0; at < SECONDARY_ZONES; at += 1) {
    const name = `slow-${at}.${tenant.zone.name}`;
    const domain = { name, email: 'a@example.com' };
    const headers = { ...asTenant(attack), connection: 'close' };
    const post = async (method, path, body) => {
      const answer = await fetch(urls.dns + path, { method, headers, body: JSON.stringify(body) });
      count('secondaries', answer.status);
      return await answer.json();
    };
    const { id } = await post('POST', '/v1/domains', domain);
    await post('PUT', `/v1/domains/${id}/primaries`, { primaries });
  }
}

/** Sends floods that need no account, from many networks. */
async function floodMessages({ nameserver, hosted, floodRate }, goOn) {
  const sockets = [];
  for (let at = 0; at < NETWORKS; at += 1) {
    const socket = createSocket('udp4').bind(0, `127.0.${6 + at}.1`);
    socket.on('error', () => undefined);
    await once(socket, 'listening');
    sockets.push(socket);
  }
  const startedAt = Date.now();
  let sent = 0;
  while (goOn()) {
    const due = ((Date.now() - startedAt) / 1_000) * floodRate;
    for (; sent < due; sent += 1) {
      const message = messageOf(hosted[sent % hosted.length], sent);
      sockets[sent % NETWORKS].send(message, nameserver.port, nameserver.host);
    }
    await delay(TICK_MS);
  }
  counts.datagrams = { sent };
  for (const socket of sockets) socket.close();
}

function messageOf(zone, at) {
  const stranger = { name: `stranger-${at}.`, algorithm: 'hmac-sha256', secret: Buffer.alloc(32) };
  if (at % 3 === 0) return updateOf(zone, stranger, at);
  const questions = [record(zone, 'SOA')];
  if (at % 3 === 1) return writeMessage({ id: at & 0xffff, flags: OPCODE.NOTIFY << 11, questions });
  const query = writeMessage({ id: at & 0xffff, flags: 0, questions });
  return signRequest(query, stranger, Date.now() / 1_000).message;
}
