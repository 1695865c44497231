import { useQuery } from '@tanstack/react-query';
import { type Answer, inBatches, type Problem, type RecordOperation } from '@zonewright/client';
import { useDeferredValue } from 'react';
import { clientOf } from '../../api/client.js';
import { keys } from '../../api/queries.js';
import { ChangeList } from '../../change-list/change-list.js';
import type { Line } from '../../change-list/zone-line.js';
import { useMessages } from '../../messages/language.js';
import { FailureBanner } from '../../ui/failure.js';
import { MESSAGES } from './messages.js';
import type { ListedRecord } from './use-records.js';

const MOST_PROBLEMS = 3;

export interface Change {
  /** Undefined: a new record. */
  readonly before: ListedRecord | undefined;
  /** Undefined: deleted. */
  readonly after: (Line & { readonly description: string | null }) | undefined;
}

/** Only what differs: what others did to the other members of the record stays. */
export function toOperation({ before, after }: Change): RecordOperation {
  if (before === undefined) {
    if (after === undefined) throw new Error('a change has a record before it or after it');
    return { action: 'create', record: { ...after, tags: [...(after.tags ?? [])] } };
  }
  const { id, version } = before;
  if (after === undefined) return { action: 'delete', id, if_version: version };
  const members = [
    ...(['name', 'data', 'priority', 'ttl', 'description'] as const),
    ...(['disabled', 'expires_at', 'tags'] as const),
  ];
  const record = Object.fromEntries(
    members
      .filter((member) => JSON.stringify(after[member]) !== JSON.stringify(before[member]))
      .map((member) => [member, after[member]]),
  );
  return { action: 'update', id, if_version: version, record };
}

/** Splits operations into batches of the size that the service accepts. */
export function toBatches(
  projectId: string,
  domainId: string,
  operations: readonly RecordOperation[],
): (() => Promise<Answer<unknown>>)[] {
  return inBatches(operations).map(
    (part) => () => clientOf(projectId).records(domainId).change(part, { confirm: true }),
  );
}

export interface Review {
  readonly refused: readonly Problem[];
  readonly error: unknown;
}

/** Returns the service's verdict on a batch by a dry run. */
export function useBatchReview(
  projectId: string,
  domainId: string,
  operations: readonly RecordOperation[],
): Review {
  const asked = useDeferredValue(operations);
  const { data, error } = useQuery({
    queryKey: [...keys.project(projectId), 'preview', domainId, asked],
    queryFn: async ({ signal }) =>
      (
        await clientOf(projectId)
          .records(domainId)
          .change(inBatches(asked)[0] ?? [], { dryRun: true, confirm: true, signal })
      ).value,
    enabled: asked.length > 0,
    gcTime: 0,
  });
  return { refused: data?.results.flatMap(({ errors }) => errors) ?? [], error };
}

export function BatchReview({
  review: { refused, error },
  changes,
}: {
  readonly review: Review;
  readonly changes: readonly Change[];
}) {
  const t = useMessages(MESSAGES);
  const texts = refused.slice(0, MOST_PROBLEMS).map(({ message }) => message);
  return (
    <>
      {error !== null && <FailureBanner error={error} />}
      {texts.length > 0 && <FailureBanner error={new Error(texts.join(' '))} />}
      {changes.length === 0 ? (
        <p>{t.nothingChanges}</p>
      ) : (
        <ChangeList
          title={t.review}
          created={changes.flatMap(({ before, after }) =>
            before === undefined && after !== undefined ? [after] : [],
          )}
          updated={changes.flatMap(({ before, after }) =>
            before === undefined || after === undefined ? [] : [{ before, after }],
          )}
          deleted={changes.flatMap(({ before, after }) =>
            before !== undefined && after === undefined ? [before] : [],
          )}
        />
      )}
    </>
  );
}
