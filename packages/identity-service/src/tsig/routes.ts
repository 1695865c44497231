import type { Route } from '../http/route.js';
import { answerSigned } from './answer-signed.js';
import { checkTsig } from './check-tsig.js';
import { exchangeTsig } from './exchange-tsig.js';

/** For the other services alone: whose message is signed with an access key (RFC 8945), and the signed answer to it (ADR 0033). */
export const TSIG_ROUTES: readonly Route[] = [
  {
    id: 'checkTsig',
    name: 'Check TSIG',
    method: 'POST',
    path: '/v3/internal/tsig/verify',
    access: 'token',
    json: { reads: 'TsigCheck', answers: 'CheckedTsig', hasMessages: true },
    faults: [429],
    handle: checkTsig,
  },
  {
    id: 'exchangeTsig',
    name: 'Exchange TSIG',
    method: 'POST',
    path: '/v3/internal/tsig/exchange',
    access: 'token',
    json: { reads: 'TsigExchange', answers: 'TsigExchanged', hasMessages: true },
    handle: exchangeTsig,
  },
  {
    id: 'signTsigAnswer',
    name: 'Sign TSIG Answer',
    method: 'POST',
    path: '/v3/internal/tsig/sign',
    access: 'token',
    json: { reads: 'TsigAnswer', answers: 'SignedTsigAnswer', hasMessages: true },
    handle: answerSigned,
  },
];
