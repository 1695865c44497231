// Takes the place of the UDP worker in a test: the first to run reports a fault and fails within a batch, those after it
// are the real one. The last reader's place in the image, which no worker has here, tells them apart.
import { parentPort, workerData } from 'node:worker_threads';
import { ImageReader } from '../../dist/image/image-reader.js';
import { IMAGE_WORD, MAX_READERS } from '../../dist/image/layout.js';

const lastReader = MAX_READERS - 1;
const marker = new ImageReader(workerData.image, lastReader);
if (marker.words[IMAGE_WORD.READER_EPOCHS + lastReader] === 0) {
  marker.enter();
  new ImageReader(workerData.image, workerData.readerIndex).enter();
  parentPort.postMessage({ fault: new Error('a bug in an answer'), faults: 3 });
  throw new Error('a bug in a worker');
}
await import('../../dist/udp/udp-batch-worker.js');
