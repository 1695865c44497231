import { MessageSyntaxError, readMessage, type Tsig } from '@zonewright/dns-records';
import { invalidRequest } from '../../problems/problems.js';

/** A message with its TSIG. */
export interface SignedRequest {
  readonly octets: Uint8Array;
  readonly tsig: Tsig;
}

/** @throws ServiceError invalid */
export function readSignedRequest(octets: Uint8Array): SignedRequest {
  try {
    const { tsig } = readMessage(octets);
    if (tsig !== undefined) return { octets, tsig };
  } catch (error) {
    if (!(error instanceof MessageSyntaxError)) throw error;
  }
  throw invalidRequest('the message must be one of DNS with a TSIG');
}
