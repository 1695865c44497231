// Replaces the UDP worker in a test. The first one that runs reports a fault and fails within a batch; later ones are
// the real worker. They are distinguished by the last reader's slot in the image, which no worker uses here.
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
