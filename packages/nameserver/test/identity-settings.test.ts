import { describe, expect, it } from '@jest/globals';
import { exchangeTcp, exchangeUdp } from '@zonewright/testkit';
import { decodeMessage, type Message } from '../conformance/support/message.js';
import { buildQuery } from '../conformance/support/query.js';
import { type RunningNameserver, startNameserver } from './support/running-nameserver.js';

/** Records about the server itself do not come from zones, so these tests need no database. */
const WITHOUT_DATABASE = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
const NSID = 3;
const edns = { options: [{ code: NSID, data: Buffer.alloc(0) }] };

describe.each([
  ['UDP', exchangeUdp],
  ['TCP', exchangeTcp],
])('what a server tells about itself over %s', (_, exchange) => {
  const ask = async (server: RunningNameserver, name: string): Promise<Message> =>
    decodeMessage(await exchange(server, buildQuery({ question: `${name} CH TXT`, edns })));
  const nsidOf = ({ opt }: Message) => opt?.options.find(({ code }) => code === NSID)?.data;

  it('RFC 4892 s3, RFC 5001: is the configured text', async () => {
    const server = await startNameserver({
      ...WITHOUT_DATABASE,
      NAMESERVER_IDENTITY_TEXT: 'frankfurt 3',
      NAMESERVER_VERSION_TEXT: 'ask your operator',
    });
    const identity = await ask(server, 'id.server.');
    expect(identity.answers).toEqual(['id.server. 0 CH TXT "frankfurt 3"']);
    expect(nsidOf(identity)).toEqual(Buffer.from('frankfurt 3'));
    expect((await ask(server, 'version.bind.')).answers).toEqual([
      'version.bind. 0 CH TXT "ask your operator"',
    ]);
  });

  it('RFC 4892 s3, RFC 5001: is nothing if that is configured', async () => {
    const server = await startNameserver({
      ...WITHOUT_DATABASE,
      NAMESERVER_IDENTITY_TEXT: 'none',
      NAMESERVER_VERSION_TEXT: 'none',
    });
    for (const name of ['id.server.', 'hostname.bind.', 'version.bind.', 'version.server.']) {
      const answer = await ask(server, name);
      expect(answer).toMatchObject({ rcode: 'REFUSED', answers: [] });
      expect(nsidOf(answer)).toBeUndefined();
    }
  });
});
