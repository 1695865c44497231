import { type AnswerSettings } from '../../src/message/answer-settings.js';
import { handleQuery } from '../../src/answer/handle-query.js';
import { QueryContext, TRANSPORT } from '../../src/message/query-context.js';
import { compileZone } from '../../src/compile/compile-zone.js';
import { ImageReader } from '../../src/image/image-reader.js';
import { ImageWriter } from '../../src/image/image-writer.js';
import { IMAGE_STATE } from '../../src/image/layout.js';
import type { ZoneContent } from '../../src/compile/zone-tree.js';
import { decodeMessage, type Message } from '../../conformance/support/message.js';
import { buildQuery, type QuerySpec } from '../../conformance/support/query.js';

const IMAGE_OCTETS = 4 * 1024 * 1024;
const TCP_OCTETS = 65_535;

export const TEST_SETTINGS: AnswerSettings = {
  nsid: Buffer.from('ns1-1'),
  versionText: 'test',
  serverIdText: 'ns1-1',
  cookieSecrets: [Buffer.from('e5e973e5a6b2a43f48e7dc849e37bfcf', 'hex')],
  maxUdpPayloadOctets: 1232,
  tcpIdleTimeoutDeciseconds: 100,
};

/** The answering code with a separate image, without sockets. */
export class InProcessServer {
  readonly image: ImageWriter;
  /** A worker's reader, so that tests may write to the image between its enter() and leave(). */
  readonly reader: ImageReader;
  readonly context: QueryContext;

  constructor(
    zones: readonly ZoneContent[],
    settings: Partial<AnswerSettings> = {},
    imageOctets = IMAGE_OCTETS,
  ) {
    this.image = ImageWriter.create(imageOctets);
    for (const zone of zones) this.image.put(compileZone(zone));
    this.image.setState(IMAGE_STATE.CURRENT);
    this.reader = new ImageReader(this.image.buffer, 0);
    this.context = new QueryContext(this.reader, { ...TEST_SETTINGS, ...settings });
    this.context.output = new Uint8Array(TCP_OCTETS);
    this.context.outputCapacity = TCP_OCTETS;
  }

  /** Returns a copy of the answer's octets. Undefined if there is no answer. */
  answer(transport: keyof typeof TRANSPORT, query: Uint8Array): Buffer | undefined {
    const { context } = this;
    context.transport = TRANSPORT[transport];
    context.input = query;
    context.inputLength = query.length;
    const length = handleQuery(context);
    if (context.fault !== null) throw context.fault as Error;
    return length === 0 ? undefined : Buffer.from(context.output.subarray(0, length));
  }

  ask(transport: keyof typeof TRANSPORT, spec: QuerySpec): Message {
    const octets = this.answer(transport, buildQuery(spec));
    if (octets === undefined) throw new Error('The query was not answered.');
    return decodeMessage(octets);
  }
}
