import {
  DnsSyntaxError,
  isAtOrBelow,
  toAsciiDomainName,
  typeNumber,
} from '@zonewright/dns-records';
import { invalidRequest, type Problem } from '@zonewright/service-kit';
import type { Zone } from '@zonewright/zones';
import type { Operation } from '../http/operation.js';
import { readFlag } from '../http/members.js';
import { FLAG, readParameter, TEXT } from '../http/parameters.js';
import { jsonReply } from '../http/reply.js';

export const ANSWER_OPERATIONS: readonly Operation[] = [
  {
    id: 'askNameservers',
    name: 'Ask the Nameservers',
    method: 'GET',
    path: '/v1/domains/{domainId}/answers',
    access: 'tenant',
    body: 'none',
    answers: 'NameserverAnswers',
    query: { name: TEXT, type: { type: 'string', default: 'A' }, dnssec: FLAG, tcp: FLAG },
    faults: [429],
    handle: async ({ zones, asker }, { caller, params, query, turn }) => {
      const zone = await zones.get(caller, params['domainId'] ?? '');
      const question = readQuestion(query, zone);
      // The operation waits for external servers.
      const asked = await turn.aside(() => asker.ask(zone, question));
      return jsonReply({
        ...{ name: question.name, type: question.type },
        nameservers: asked.map(({ isAuthoritative, ...rest }) => ({
          ...rest,
          authoritative: isAuthoritative,
        })),
      });
    },
  },
];

/** Types of transfers and of records about a message, which no question has. */
const NOT_ASKED = new Set([
  'AXFR',
  'IXFR',
  'OPT',
  'TSIG',
  'TYPE0',
  'TYPE41',
  'TYPE250',
  'TYPE251',
  'TYPE252',
]);

/** @throws ServiceError `invalid`: names outside the zone are not queried */
function readQuestion(query: URLSearchParams, zone: Zone) {
  const type = (readParameter(query, 'type') ?? 'A').toUpperCase();
  const text = readParameter(query, 'name') ?? zone.name;
  const name = canonicalName(text);
  const problems: Problem[] = [];
  if (name === undefined || !isAtOrBelow(name, zone.name)) {
    const message = `name must be ${zone.name} or a name in it.`;
    problems.push({ path: 'name', validator: 'format', message });
  }
  if (typeNumber(type) === undefined || NOT_ASKED.has(type)) {
    const message = 'type must be the name of a record type, ANY, or TYPE and a number.';
    problems.push({ path: 'type', validator: 'enum', message });
  }
  if (name === undefined || problems.length > 0) throw invalidRequest(problems);
  return { name, type, dnssec: readFlag(query, 'dnssec'), tcp: readFlag(query, 'tcp') };
}

/** Undefined if the text is not a name. */
function canonicalName(text: string): string | undefined {
  try {
    return toAsciiDomainName(text.endsWith('.') ? text : `${text}.`);
  } catch (error) {
    if (error instanceof DnsSyntaxError) return undefined;
    throw error;
  }
}
