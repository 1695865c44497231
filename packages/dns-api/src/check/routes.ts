import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { renderExamination } from './render.js';

export const DOCTOR_OPERATIONS: readonly Operation[] = [
  {
    id: 'checkDomain',
    name: 'Check a Domain',
    method: 'GET',
    path: '/v1/domains/{domainId}/check',
    access: 'tenant',
    body: 'none',
    answers: 'Examination',
    faults: [429],
    handle: async ({ zones, doctor }, { caller, params, turn }) => {
      const zone = await zones.get(caller, params['domainId'] ?? '');
      // Nearly all of its time it waits for servers elsewhere.
      return jsonReply(renderExamination(await turn.aside(() => doctor.examine(zone))));
    },
  },
];
