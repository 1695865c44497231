import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import dnsPacket, { type Answer, type DecodedPacket } from 'dns-packet';

const RCODES = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;
const AUTHORITATIVE = dnsPacket.AUTHORITATIVE_ANSWER;

/** Returns the response to a question; undefined for none. */
export type Script = (
  name: string,
  type: string,
) =>
  | {
      readonly rcode?: keyof typeof RCODES;
      readonly answers?: readonly Answer[];
      readonly authorities?: readonly Answer[];
    }
  | undefined;

/** A resolver or nameserver on a loopback UDP socket with scripted responses. */
export class DnsResponder {
  readonly questions: string[] = [];
  readonly #socket: Socket = createSocket('udp4');
  script: Script = () => ({ rcode: 'NXDOMAIN' });

  async start(): Promise<number> {
    this.#socket.on('message', (octets, { address, port }) => {
      const packet: DecodedPacket & { readonly opcode?: string } = dnsPacket.decode(octets);
      const { id, opcode = 'QUERY', questions } = packet;
      const [question] = questions ?? [];
      if (question === undefined) return;
      this.questions.push(
        `${question.name} ${question.type}${opcode === 'QUERY' ? '' : ` ${opcode}`}`,
      );
      const said = this.script(question.name, question.type);
      if (said === undefined) return;
      const flags = AUTHORITATIVE | RCODES[said.rcode ?? 'NOERROR'];
      const answers = [...(said.answers ?? [])];
      const response = dnsPacket.encode({
        type: 'response',
        id,
        flags,
        questions: [question],
        answers,
        authorities: [...(said.authorities ?? [])],
      });
      this.#socket.send(response, port, address);
    });
    this.#socket.bind(0, '127.0.0.1');
    await once(this.#socket, 'listening');
    return this.#socket.address().port;
  }

  stop(): void {
    this.#socket.close();
  }
}
