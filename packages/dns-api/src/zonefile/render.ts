import { renderZone } from '../domains/render.js';
import { renderListedRecord } from '../records/render.js';
import { renderOutcome } from '../transactions/render-outcome.js';
import type { ImportResult } from './import-zone.js';

/** The answer to an import: how much changed, which lines were not taken and why, and for a dry run the difference. */
export function renderImport(result: ImportResult) {
  const { zone, changes, notTaken, refusal } = result;
  const created = changes.flatMap(({ before, after }) => (before === undefined ? [after] : []));
  const deleted = changes.flatMap(({ before, after }) =>
    before !== undefined && after === undefined ? [before] : [],
  );
  const updated = changes.flatMap(({ before, after }) =>
    before === undefined || after === undefined ? [] : [{ before, after }],
  );
  return {
    ...renderOutcome(refusal),
    domain: renderZone(zone),
    created: created.length,
    updated: updated.length,
    deleted: deleted.length,
    unchanged: result.unchanged,
    not_taken: notTaken,
    ...(refusal === undefined
      ? {}
      : {
          difference: {
            create: created.map((record) => renderListedRecord(record, zone.tenantId)),
            update: updated.map(({ before, after }) => ({
              before: renderListedRecord(before, zone.tenantId),
              after: renderListedRecord(after, zone.tenantId),
            })),
            delete: deleted.map((record) => renderListedRecord(record, zone.tenantId)),
          },
        }),
  };
}
