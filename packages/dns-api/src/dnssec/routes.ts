import {
  disableDnssec,
  enableDnssec,
  getZoneDnssec,
  rollOver,
  type UnitOfWork,
  type Zone,
} from '@zonewright/zones';
import type { Context } from '../context/context.js';
import { readFlag } from '../http/flags.js';
import type { Operation, TenantRequest } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { write, type Written } from '../http/write.js';
import { FLAG } from '../schemas/parameters.js';
import { readDnssecForm } from './read-dnssec-form.js';
import { renderDnssec } from './render.js';
import { requireSigner } from './require-signer.js';

const PATH = '/v1/domains/{domainId}/dnssec';
const FORCE = 'force';

/** Answers with how the domain is signed then; the signer goes on with it. */
async function showAccepted({ trx }: UnitOfWork, zone: Zone): Promise<Written> {
  const shown = renderDnssec(await getZoneDnssec(trx, zone));
  return { reply: jsonReply(shown) };
}

function targetOf({ params, headers }: TenantRequest) {
  return { id: params['domainId'] ?? '', ifMatch: headers.ifMatch };
}

/** Checks the owner first, so that other callers only learn that the domain is not theirs. */
async function requireSignerOf(context: Context, { caller, params }: TenantRequest): Promise<void> {
  if (context.signer === undefined) await context.zones.get(caller, params['domainId'] ?? '');
  requireSigner(context);
}

export const DNSSEC_OPERATIONS: readonly Operation[] = [
  {
    id: 'getDnssec',
    name: 'Get DNSSEC of a Domain',
    method: 'GET',
    path: PATH,
    access: 'tenant',
    body: 'none',
    answers: 'Dnssec',
    handle: async ({ zones, db }, { caller, params }) => {
      const zone = await zones.get(caller, params['domainId'] ?? '');
      return jsonReply(renderDnssec(await getZoneDnssec(db, zone)));
    },
  },
  {
    id: 'enableDnssec',
    name: 'Have a Domain Signed',
    method: 'PUT',
    path: PATH,
    hasTag: true,
    access: 'tenant',
    body: 'json',
    reads: 'DnssecForm',
    query: { [FORCE]: FLAG },
    answers: 'Dnssec',
    faults: [409],
    handle: async (context, request) => {
      await requireSignerOf(context, request);
      const { algorithm, foreignKeys: keys } = readDnssecForm(request.body);
      const foreign = keys && { keys, atOnce: readFlag(request.query, FORCE) };
      return await write(context, request, async (work) =>
        showAccepted(work, await enableDnssec(work, targetOf(request), { algorithm, foreign })),
      );
    },
  },
  {
    id: 'disableDnssec',
    name: 'Have a Domain Unsigned',
    method: 'DELETE',
    path: PATH,
    hasTag: true,
    access: 'tenant',
    body: 'none',
    query: { [FORCE]: FLAG },
    answers: 'Dnssec',
    handle: async (context, request) => {
      const force = readFlag(request.query, FORCE);
      return await write(context, request, async (work) =>
        showAccepted(work, await disableDnssec(work, targetOf(request), { force })),
      );
    },
  },
  {
    id: 'rollDnssecKey',
    name: 'Replace the Key of a Domain',
    method: 'POST',
    path: `${PATH}/rollover`,
    hasTag: true,
    access: 'tenant',
    body: 'none',
    answers: 'Dnssec',
    faults: [409],
    handle: async (context, request) => {
      await requireSignerOf(context, request);
      return await write(context, request, async (work) =>
        showAccepted(work, await rollOver(work, targetOf(request))),
      );
    },
  },
];
