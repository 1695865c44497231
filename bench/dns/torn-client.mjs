// Thread of torn.mjs: sends queries over UDP and checks each answer. It reports its results when it is stopped.
import { createSocket } from 'node:dgram';
import { parentPort, workerData } from 'node:worker_threads';
import {
  faultOf,
  questionsOf,
  VERSIONS,
} from '../../packages/nameserver/test/support/versioned-zones.mjs';

const { shared, zones, port, number } = workerData;
const words = new Int32Array(shared);
const UNDER_WAY = 32;
/** Time after which an unanswered query counts as lost, and another one is sent. */
const LOST_AFTER_MS = 1_000;
const REPORTED_FAULTS = 10;

const versionOf = (kind) => (zone) => Atomics.load(words, zone * VERSIONS.WORDS + kind);
const questions = Array.from({ length: zones }, (_, zone) => questionsOf(zone)).flat();
const underWay = new Map();
const seen = { answers: 0, wrong: 0, lost: 0, faults: [] };
const socket = createSocket('udp4');
let next = number * 7;
let id = 0;

socket.on('message', (answer) => {
  const asked = underWay.get(answer.readUInt16BE(0));
  if (asked === undefined) return;
  underWay.delete(answer.readUInt16BE(0));
  check(asked, answer);
  ask();
});
socket.connect(port, '127.0.0.1', () => {
  for (let i = 0; i < UNDER_WAY; i++) ask();
});
const timer = setInterval(() => {
  for (const [key, { askedAt }] of underWay) {
    if (performance.now() - askedAt < LOST_AFTER_MS) continue;
    underWay.delete(key);
    seen.lost++;
    ask();
  }
  if (Atomics.load(words, zones * VERSIONS.WORDS) === 0) return;
  clearInterval(timer);
  socket.close();
  parentPort.postMessage(seen);
}, 100);

function ask() {
  const question = questions[(next += 13) % questions.length];
  const octets = Buffer.from(question.octets);
  id = (id + 1) & 0xffff;
  octets.writeUInt16BE(id, 0);
  const oldest = new Map();
  for (const zone of [question.zone, (question.zone + 1) % zones]) {
    oldest.set(zone, versionOf(VERSIONS.DONE)(zone));
  }
  underWay.set(id, { question, oldest, askedAt: performance.now() });
  socket.send(octets);
}

function check({ question, oldest }, answer) {
  seen.answers++;
  let fault;
  // A truncated answer contains less than all records.
  if ((answer[2] & 2) !== 0) return;
  try {
    const oldestOf = (zone) => oldest.get(zone);
    fault = faultOf(question, answer, zones, oldestOf, versionOf(VERSIONS.BEGUN));
  } catch (error) {
    fault = error;
  }
  if (fault === undefined) return;
  seen.wrong++;
  if (seen.faults.length < REPORTED_FAULTS) seen.faults.push(String(fault));
}
