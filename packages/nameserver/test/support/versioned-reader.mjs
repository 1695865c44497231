// A thread that queries versioned zones (versioned-zones.mjs) in the image as fast as it can, as a UDP worker does, and
// checks each answer. It returns { answers, faults } when it is told to stop.
import { parentPort, workerData } from 'node:worker_threads';
import { handleQuery } from '../../dist/answer/handle-query.js';
import { QueryContext } from '../../dist/message/query-context.js';
import { ImageReader } from '../../dist/image/image-reader.js';
import { faultOf, questionsOf, VERSIONS } from './versioned-zones.mjs';

const { buffer, readerIndex, zones, settings, shared } = workerData;
/**
 * The memory has two words for each zone, then the flag that ends the thread, and a counter of answers for each reader.
 */
const words = new Int32Array(shared);
const stopWord = zones * VERSIONS.WORDS;
const countWord = stopWord + 1 + readerIndex;
const BATCH = 16;
const OUTPUT_OCTETS = 65_535;

const image = new ImageReader(buffer, readerIndex);
const context = new QueryContext(image, settings);
context.output = new Uint8Array(OUTPUT_OCTETS);
context.outputCapacity = OUTPUT_OCTETS;
// The transport is TCP, whose answers have room for everything.
context.transport = 1;

const versionOf = (kind) => (zone) => Atomics.load(words, zone * VERSIONS.WORDS + kind);
const questions = Array.from({ length: zones }, (_, zone) => questionsOf(zone)).flat();
const faults = [];
let answers = 0;
let next = readerIndex * 7;

while (Atomics.load(words, stopWord) === 0) {
  image.enter();
  for (let i = 0; i < BATCH; i++) ask(questions[(next += 13) % questions.length]);
  image.leave();
  Atomics.store(words, countWord, answers);
}
parentPort.postMessage({ answers, faults });

function ask(question) {
  const oldest = new Map();
  for (const zone of [question.zone, (question.zone + 1) % zones]) {
    oldest.set(zone, versionOf(VERSIONS.DONE)(zone));
  }
  context.input = question.octets;
  context.inputLength = question.octets.length;
  const length = handleQuery(context);
  const answer = Buffer.from(context.output.slice(0, length));
  answers++;
  let fault = context.fault ?? undefined;
  try {
    fault ??= faultOf(
      question,
      answer,
      zones,
      (zone) => oldest.get(zone),
      versionOf(VERSIONS.BEGUN),
    );
  } catch (error) {
    fault = error;
  }
  if (fault !== undefined && faults.length < 10) faults.push(String(fault));
}
