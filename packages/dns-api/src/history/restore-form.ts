import type { RestoreRequest } from '@zonewright/zones';
import { checkFlag } from '../http/flags.js';
import { checkMembers } from '../http/members.js';
import { invalidRequest } from '@zonewright/service-kit';

const MAX_SERIAL = 4_294_967_295;

/** Reads the body of a restore. @throws ServiceError `invalid` with all problems. */
export function readRestore(body: unknown): RestoreRequest {
  const { values, problems } = checkMembers(body, ['serial', 'confirm']);
  const { serial, confirm = false } = values;
  const isSerial =
    Number.isInteger(serial) && (serial as number) >= 0 && (serial as number) <= MAX_SERIAL;
  const all = [
    ...problems,
    ...checkFlag('confirm', confirm),
    ...(isSerial
      ? []
      : [
          {
            path: 'serial',
            validator: serial === undefined ? 'required' : 'type',
            message: 'serial must be a serial that the domain had, an integer.',
          },
        ]),
  ];
  if (all.length > 0) throw invalidRequest(all);
  return { serial: serial as number, confirm: confirm as boolean };
}
