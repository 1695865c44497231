import { expect, it, jest } from '@jest/globals';
import { readMessage, wireToName } from '@zonewright/dns-records';
import { createLogger, systemClock } from '@zonewright/service-kit';
import { waitFor } from '@zonewright/testkit';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createTransferCounters } from '../src/stats/transfer-counters.js';
import { Notifier } from '../src/transfer/notifier.js';
import type { Peer } from '../src/transfer/peers.js';

/** Starts a peer's server that collects the names it was notified of. */
async function listen(): Promise<{ socket: Socket; told: string[] }> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const told: string[] = [];
  socket.on('message', (octets) => told.push(wireToName(readMessage(octets).questions[0]!.name)));
  return { socket, told };
}

function peerAt(id: string, socket: Socket): Peer {
  return {
    id,
    networks: [],
    notify: [{ address: '127.0.0.1', port: socket.address().port }],
    updatedAt: null,
    key: { name: `${id}.`, algorithm: 'hmac-sha256', secret: Buffer.alloc(32) },
    catalogSerial: undefined,
  };
}

it('a server that does not answer delays no others, and gets no flood', async () => {
  const [silent, other] = [await listen(), await listen()];
  const notifier = new Notifier({
    sources: [],
    serialOf: () => 1,
    onAnswer: () => undefined,
    counters: createTransferCounters(),
    clock: systemClock,
    log: createLogger('nameserver', 'fatal'),
  });
  try {
    const zones = Array.from({ length: 2_000 }, (_, number) => `zone-${number}.example.`);
    for (const zone of zones) notifier.tell(peerAt('silent', silent.socket), zone);
    notifier.tell(peerAt('other', other.socket), 'theirs.example.');
    await waitFor(() => other.told.length > 0);
    await waitFor(() => new Set(silent.told).size === 20);
    // Waiting notifications are sent in order when one of these is answered.
    const answered = once(silent.socket, 'message') as Promise<[Buffer, { port: number }]>;
    const [octets, { port }] = await answered;
    octets[2]! |= 0x80;
    silent.socket.send(octets, port, '127.0.0.1');
    await waitFor(() => new Set(silent.told).size > 20);
    expect([...new Set(silent.told)]).toEqual(zones.slice(0, 21));
  } finally {
    notifier.stop();
    silent.socket.close();
    other.socket.close();
  }
});

it('a server that did not answer gets nothing for a minute, and then all missed notifications', async () => {
  const silent = await listen();
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance', 'nextTick', 'queueMicrotask'] });
  const notifier = new Notifier({
    sources: [],
    serialOf: () => 1,
    onAnswer: (_peer, zone, _serial, answer) => answers.push(`${zone} ${answer}`),
    counters: createTransferCounters(),
    clock: systemClock,
    log: createLogger('nameserver', 'fatal'),
  });
  const answers: string[] = [];
  const peer = peerAt('silent', silent.socket);
  /** Waits until the zone is notified; datagrams take some turns of the event loop. */
  const untilTold = async (zone: string) => {
    for (let turn = 0; turn < 100_000 && !silent.told.includes(zone); turn += 1)
      await new Promise((resolve) => setImmediate(resolve));
    expect(silent.told).toContain(zone);
  };
  try {
    notifier.tell(peer, 'first.example.');
    await untilTold('first.example.');
    for (let seconds = 0; seconds < 31; seconds += 1) await jest.advanceTimersByTimeAsync(1_000);
    expect(answers).toEqual(['first.example. no answer']);
    notifier.tell(peer, 'second.example.');
    for (let seconds = 0; seconds < 50; seconds += 1) await jest.advanceTimersByTimeAsync(1_000);
    expect(silent.told).not.toContain('second.example.');
    await jest.advanceTimersByTimeAsync(11_000);
    await untilTold('second.example.');
  } finally {
    notifier.stop();
    jest.useRealTimers();
    silent.socket.close();
  }
});
