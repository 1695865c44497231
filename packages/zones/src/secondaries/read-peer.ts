import { isIP } from 'node:net';
import { invalidRequest, isUuid, type Problem, readNetwork } from '@zonewright/service-kit';
import type { InputMembers } from '../request/rules.js';
import { TSIG_ALGORITHMS, type TsigKey } from './tsig-key.js';
import type { NotifyTarget, PeerContent } from './peer.js';
import { isSpecialAddress } from './special-address.js';

export interface PeerInput extends PeerContent {
  readonly keyAlgorithm: TsigKey['algorithm'];
}

const MAX_NAME_CHARACTERS = 100;
const MAX_NETWORKS = 16;
const MAX_TARGETS = 8;
const MAX_ZONES = 1_000;
const DNS_PORT = 53;

const DEFAULTS: PeerInput = {
  name: '',
  networks: [],
  notify: [],
  zoneIds: null,
  hasCatalog: false,
  keyAlgorithm: 'hmac-sha256',
};

/**
 * Reads a peer. Missing members are not changed. NOTIFY is sent only to public addresses, unless the operator allows
 * others.
 *
 * @throws ServiceError `invalid` with all problems
 */
export function readPeer(
  { values, problems }: InputMembers,
  stored: PeerInput | undefined,
  mayBePrivate: boolean,
): PeerInput {
  const { zoneIds, hasCatalog, keyAlgorithm, ...others } = stored ?? DEFAULTS;
  const found: Problem[] = [...problems];
  const check = (path: string, isRight: boolean, what: string) => {
    if (!isRight) found.push({ path, validator: 'format', message: `${path} must be ${what}.` });
  };
  const given = {
    ...{ ...others, domains: zoneIds, catalog: hasCatalog, algorithm: keyAlgorithm },
    ...values,
  };
  const { algorithm } = given;
  check('name', isText(given.name), `a string of 1 to ${MAX_NAME_CHARACTERS} characters`);
  check('networks', isListOf(given.networks, MAX_NETWORKS, isNetwork), NETWORKS);
  const targets = isListOf(given.notify, MAX_TARGETS, isTarget) ? given.notify : undefined;
  check('notify', targets !== undefined, TARGETS);
  const isNear =
    !mayBePrivate && targets?.some(({ address }) => isSpecialAddress(address)) === true;
  check('notify', !isNear, 'public addresses, not private or special ones');
  check('domains', given.domains === null || isListOf(given.domains, MAX_ZONES, isId), ZONES);
  check('catalog', typeof given.catalog === 'boolean', 'true or false');
  // The key of a peer cannot be changed.
  const algorithms = stored === undefined ? TSIG_ALGORITHMS : [keyAlgorithm];
  const isKnown = algorithms.some((known) => known === algorithm);
  check('algorithm', isKnown, algorithms.join(' or '));
  if (found.length > 0) throw invalidRequest(found);
  return {
    name: given.name,
    networks: (given.networks as string[]).map((network) => network.toLowerCase()),
    notify: withoutRepetition((targets ?? []).map(withPort)),
    zoneIds: given.domains === null ? null : [...new Set(given.domains as string[])],
    hasCatalog: given.catalog,
    keyAlgorithm: algorithm,
  };
}

const NETWORKS = `a list of at most ${MAX_NETWORKS} networks, such as 192.0.2.0/24 or 2001:db8::5/128`;
const TARGETS = `a list of at most ${MAX_TARGETS} objects with an "address", and a "port" if it is not ${DNS_PORT}`;
const ZONES = `a list of at most ${MAX_ZONES} ids of domains, or null for all domains`;

function withPort({ address, port }: Partial<NotifyTarget> & { address: string }): NotifyTarget {
  return { address, port: port ?? DNS_PORT };
}

/** Removes duplicates: each server gets one NOTIFY, however often and in whatever notation its address is listed. */
function withoutRepetition(targets: readonly NotifyTarget[]): NotifyTarget[] {
  const keyOf = ({ address, port }: NotifyTarget) => `${canonical(address)} ${port}`;
  return [
    ...new Map(targets.toReversed().map((target) => [keyOf(target), target])).values(),
  ].reverse();
}

function canonical(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address}]`).hostname : address;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && /^[^\p{Cc}]{1,100}$/u.test(value);
}

function isListOf<T>(
  value: unknown,
  most: number,
  isRight: (item: unknown) => item is T,
): value is T[] {
  return Array.isArray(value) && value.length <= most && value.every(isRight);
}

function isNetwork(value: unknown): value is string {
  return typeof value === 'string' && 'network' in readNetwork(value);
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && isUuid(value);
}

function isTarget(value: unknown): value is Partial<NotifyTarget> & { address: string } {
  if (typeof value !== 'object' || value === null) return false;
  const { address, port = DNS_PORT, ...rest } = value as Record<string, unknown>;
  const isPort = Number.isInteger(port) && Number(port) >= 1 && Number(port) <= 65_535;
  return (
    typeof address === 'string' && isIP(address) !== 0 && isPort && Object.keys(rest).length === 0
  );
}
