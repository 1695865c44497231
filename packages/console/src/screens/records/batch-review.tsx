import { useQuery } from '@tanstack/react-query';
import {
  type Answer,
  inBatches,
  type Output,
  type Problem,
  type RecordOperation,
} from '@zonewright/client';
import { useDeferredValue } from 'react';
import { clientOf } from '../../api/client.js';
import { keys, type ListedDomain } from '../../api/queries.js';
import { useSettled } from '../../state/hooks.js';
import { useMessages } from '../../state/language.js';
import { Banner, FailureBanner } from '../../ui/banner.js';
import { Button } from '../../ui/button.js';
import { ChangeList, type Line } from '../../ui/change-list.js';
import { FLAG_MEMBERS, toOptions } from '../../ui/record-flags.js';
import { type CommandTexts, curl, zonewright, zonewrightApi } from '../../ui/shell.js';
import { MESSAGES } from './messages.js';
import { recordsetFor } from './recordset.js';
import type { ListedRecord } from './use-records.js';

const MOST_PROBLEMS = 3;

export interface Change {
  /** Undefined for a new record. */
  readonly before: ListedRecord | undefined;
  /** Undefined if the record is deleted. */
  readonly after: (Line & { readonly description: string | null }) | undefined;
}

/** Returns an operation with only the changed members, so that other users' changes of other members are kept. */
export function toOperation({ before, after }: Change): RecordOperation {
  if (before === undefined) {
    if (after === undefined) throw new Error('a change has a record before it or after it');
    return { action: 'create', record: { ...after, tags: [...(after.tags ?? [])] } };
  }
  const { id, version } = before;
  if (after === undefined) return { action: 'delete', id, if_version: version };
  const members = [
    ...(['name', 'data', 'priority', 'ttl', 'description'] as const),
    ...FLAG_MEMBERS,
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

/** Validates a batch with a dry run. */
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

type Finding = Output<'checkNewRecords'>['findings'][number];
type FixedRecord = NonNullable<Finding['fix']>['add'][number];

interface RecordAdviceProps {
  readonly projectId: string;
  readonly domain: ListedDomain;
  readonly changes: readonly Change[];
  /** Takes the record that resolves a finding into the editor. */
  readonly onFix: (record: FixedRecord) => void;
}

/** Findings of a check about records that are being edited. They never prevent saving. */
export function RecordAdvice({ projectId, domain, changes, onFix }: RecordAdviceProps) {
  const t = useMessages(MESSAGES);
  const asked = useSettled(
    JSON.stringify({
      records: changes.flatMap(({ after }) => (after === undefined ? [] : [pickContent(after)])),
      without: changes.flatMap(({ before }) => before?.id ?? []),
    }),
  );
  const { data: findings = [] } = useQuery({
    queryKey: [...keys.inDomain(projectId, domain.id), 'advice', asked],
    queryFn: ({ signal }) => {
      const body = JSON.parse(asked) as Parameters<Domains['checkRecords']>[1];
      return clientOf(projectId).domains.checkRecords(domain.id, body, { signal });
    },
    enabled: changes.some(({ after }) => after !== undefined && after.data !== ''),
    placeholderData: (before) => before,
    retry: false,
  });
  return findings.map(({ code, message, action, fix }) => {
    const [record] = fix?.add ?? [];
    const isOfOne = fix?.remove.length === 1 && record !== undefined;
    const button = (
      <Button
        onClick={() => {
          if (record !== undefined) onFix(record);
        }}
      >
        {t.fix}
      </Button>
    );
    return (
      <Banner
        key={code + message}
        tone="warn"
        title={message}
        {...(isOfOne ? { actions: button } : {})}
      >
        {action}
      </Banner>
    );
  });
}

type Domains = ReturnType<typeof clientOf>['domains'];

function pickContent({ name, type, data, priority, ttl }: NonNullable<Change['after']>) {
  return { name, type, data, priority, ttl: Number.isFinite(ttl) ? ttl : null };
}

const NOTHING: Change = { before: undefined, after: undefined };

/** Maximum number of changes in a command. Nobody would read a longer list. */
const MOST_CHANGES = 100;

/**
 * Returns the commands that have the same effect as saving. Undefined if nothing changes or if there are too many
 * changes for a command.
 *
 * @param known all records of the domain; undefined if not all of them are loaded
 */
export function recordCommands(
  domain: ListedDomain,
  changes: readonly Change[],
  known?: readonly ListedRecord[],
): CommandTexts | undefined {
  if (changes.length === 0 || changes.length > MOST_CHANGES) return undefined;
  const request = {
    method: 'POST',
    path: `/v1/domains/${domain.id}/batch?extended=true`,
    body: { operations: changes.map(toOperation), confirm: true },
  } as const;
  const words = addCommand(domain, changes);
  return {
    zonewright: words === undefined ? zonewrightApi(request) : zonewright(...words),
    curl: curl(request),
    terraform: recordsetFor(domain, changes, known),
  };
}

/** Returns undefined if `record add` has no options for the records, or cannot add them in one call. */
function addCommand(
  { name: zone }: ListedDomain,
  [{ before, after } = NOTHING, ...others]: readonly Change[],
): readonly string[] | undefined {
  if (others.length > 0 || before !== undefined || after?.description !== null) return undefined;
  const { name, type, data, priority } = after;
  const words = [zone, name, type, ...(priority === null ? [] : [String(priority)]), data];
  // The program would parse the word as an option.
  if (words.some((word) => word.startsWith('-'))) return undefined;
  return ['record', 'add', ...words, ...optionsOf(after)];
}

function optionsOf(line: Line): readonly string[] {
  return [...(line.ttl === null ? [] : ['--ttl', String(line.ttl)]), ...toOptions(line)];
}
