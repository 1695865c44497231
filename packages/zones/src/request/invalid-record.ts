import { invalidRequest, type Problem } from '@zonewright/service-kit';

/** Validators of the location of a record (D-REC: invalid_record_location). */
const LOCATION_VALIDATORS: readonly string[] = ['insideDomain', 'apex', 'childDomain', 'alone'];

/** An `invalid` error about a record. */
export function invalidRecord(problems: readonly Problem[]) {
  const isLocation = problems.every(({ validator }) => LOCATION_VALIDATORS.includes(validator));
  return invalidRequest(problems, isLocation ? 'record-location' : undefined);
}
