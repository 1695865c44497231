import {
  catalogName,
  changePeer,
  createPeer,
  getPeer,
  listPeers,
  listPeerStates,
  type Peer,
  type PeerState,
  removePeer,
} from '@zonewright/zones';
import type { Context } from '../context/context.js';
import { checkMembers } from '../http/members.js';
import type { Operation, TenantRequest } from '../http/operation.js';
import { emptyReply, jsonReply } from '../http/reply.js';
import { write, writeSecret } from '../http/write.js';

const ALL = '/v1/peers';
const ONE = `${ALL}/{peerId}`;
const WRITABLE = ['name', 'networks', 'notify', 'domains', 'catalog', 'algorithm'];
/** Read-only members of a peer. An update may contain them; they are ignored. */
const READ_ONLY = ['id', 'catalog_zone', 'key', 'created_at', 'updated_at'];

export const PEER_OPERATIONS: readonly Operation[] = [
  {
    id: 'createPeer',
    name: 'Create Peer',
    method: 'POST',
    path: ALL,
    access: 'tenant',
    body: 'json',
    reads: 'NewPeer',
    answers: 'Peer',
    creates: true,
    handle: async (context, request) =>
      writeSecret(context, request, async (work) => {
        const draft = checkMembers(request.body, WRITABLE);
        const { peer, secret } = await createPeer(work, rulesOf(context), draft);
        const Location = `${request.baseUrl}${ALL}/${peer.id}`;
        return { reply: jsonReply(renderPeer(peer, secret), { Location }) };
      }),
  },
  {
    id: 'listPeers',
    name: 'List Peers',
    method: 'GET',
    path: ALL,
    access: 'tenant',
    body: 'none',
    answers: 'Peers',
    handle: async ({ db }, { caller }) =>
      jsonReply({ peers: (await listPeers(db, caller.tenantId)).map((peer) => renderPeer(peer)) }),
  },
  {
    id: 'getPeer',
    name: 'Get Peer',
    method: 'GET',
    path: ONE,
    access: 'tenant',
    body: 'none',
    answers: 'Peer',
    handle: async ({ db }, request) =>
      jsonReply(renderPeer(await getPeer(db, request.caller.tenantId, idOf(request)))),
  },
  {
    id: 'updatePeer',
    name: 'Update Peer',
    method: 'PUT',
    path: ONE,
    access: 'tenant',
    body: 'json',
    reads: 'PeerUpdate',
    answers: 'Peer',
    handle: async (context, request) =>
      write(context, request, async (work) => {
        const { values, problems } = checkMembers(request.body, [...WRITABLE, ...READ_ONLY]);
        const written = Object.entries(values).filter(([name]) => WRITABLE.includes(name));
        const draft = { values: Object.fromEntries(written), problems };
        const peer = await changePeer(work, rulesOf(context), idOf(request), draft);
        return { reply: jsonReply(renderPeer(peer)) };
      }),
  },
  {
    id: 'deletePeer',
    name: 'Delete Peer',
    method: 'DELETE',
    path: ONE,
    access: 'tenant',
    body: 'none',
    handle: async (context, request) =>
      write(context, request, async (work) => {
        await removePeer(work, idOf(request));
        return { reply: emptyReply() };
      }),
  },
  {
    id: 'listDomainPeers',
    name: 'List Peers of a Domain',
    method: 'GET',
    path: '/v1/domains/{domainId}/peers',
    access: 'tenant',
    body: 'none',
    answers: 'PeerStates',
    handle: async ({ db, zones }, { caller, params }) => {
      const zone = await zones.get(caller, params['domainId'] ?? '');
      return jsonReply({ peers: (await listPeerStates(db, zone.id)).map(renderState) });
    },
  },
];

function rulesOf({ settings }: Context) {
  const { maxPeers, mayBePrivate } = settings.peers;
  return { keyring: settings.transferKeys, maxPeers, mayBePrivate };
}

/** Only the response to the creation contains the secret. */
function renderPeer(peer: Peer, secret: string | null = null) {
  return {
    id: peer.id,
    name: peer.name,
    networks: peer.networks,
    notify: peer.notify,
    domains: peer.zoneIds,
    catalog: peer.hasCatalog,
    catalog_zone: peer.hasCatalog ? catalogName(peer.id) : null,
    key: { name: peer.keyName, algorithm: peer.keyAlgorithm, secret },
    created_at: peer.createdAt,
    updated_at: peer.updatedAt,
  };
}

function renderState(state: PeerState) {
  return {
    id: state.peerId,
    name: state.name,
    serial: state.serial,
    asked_at: state.askedAt,
    lag_seconds: state.lagSeconds,
    notified_serial: state.notifiedSerial,
    notify_answer: state.notifyAnswer,
    notified_at: state.notifiedAt,
  };
}

function idOf({ params }: TenantRequest): string {
  return params['peerId'] ?? '';
}
