import { useQuery } from '@tanstack/react-query';
import { ApiError, type Output } from '@zonewright/client';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { clientOf } from '../../api/client.js';
import { keys, type ListedDomain } from '../../api/queries.js';
import { ChangeList } from '../../change-list/change-list.js';
import { useMessages } from '../../messages/language.js';
import { Banner } from '../../ui/banner.js';
import { FailureBanner } from '../../ui/failure.js';
import { Checkbox, TextArea, TextField } from '../../ui/field.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { Segments } from '../../ui/segments.js';
import { useSettled } from '../../state/use-settled.js';
import { useAction } from '../../ui/use-action.js';
import { importCommands } from './import-commands.js';
import styles from './import-dialog.module.css';
import { MESSAGES } from './messages.js';
import { readPasted } from './read-pasted.js';
import type { Writer } from './use-writer.js';

interface ImportDialogProps {
  readonly projectId: string;
  readonly domain: ListedDomain;
  readonly initial: string;
  readonly writer: Writer;
  readonly onClose: () => void;
}

const MOST_LINES = 50;
const LARGE_PART = 0.3;

/** Reads what was pasted, shows what it would do, and does exactly that: the serial that was looked at is required. */
export function ImportDialog({ projectId, domain, initial, writer, onClose }: ImportDialogProps) {
  const t = useMessages(MESSAGES);
  const [text, setText] = useState(initial);
  const [mode, setMode] = useState<'merge' | 'replace'>('merge');
  const [isSkipping, setIsSkipping] = useState(false);
  const [typed, setTyped] = useState('');
  const pasted = useMemo(() => readPasted(text, domain.name), [text, domain.name]);
  const zonefile = useSettled(pasted.zonefile);
  const wish = useMemo(
    () => ({ zonefile, mode, on_error: 'skip', confirm: true }) as const,
    [zonefile, mode],
  );
  const preview = useQuery({
    queryKey: [...keys.project(projectId), 'preview', domain.id, wish],
    queryFn: async ({ signal }) => {
      const { domains } = clientOf(projectId);
      const { etag } = await domains.get(domain.id, { signal });
      const looking = { dryRun: true, ifMatch: etag, signal };
      const { value } = await domains.import(domain.id, wish, looking);
      return { etag, result: value };
    },
    enabled: zonefile !== '',
    gcTime: 0,
  });
  const { data: { result, etag } = {}, refetch } = preview;
  const wrong = result?.not_taken.filter(({ severity }) => severity === 'error') ?? [];
  const removed = result?.deleted ?? 0;
  const mustType = removed > 1 && removed > (domain.record_count ?? 0) * LARGE_PART;
  const isReady =
    result !== undefined &&
    zonefile === pasted.zonefile &&
    result.created + result.updated + result.deleted > 0 &&
    (wrong.length === 0 || isSkipping) &&
    (!mustType || typed.trim() === String(removed));
  const perform = useCallback(async () => {
    if (result === undefined) return;
    await writer.write(t.imported(result.created, result.updated, result.deleted), () =>
      clientOf(projectId).domains.import(domain.id, wish, { ifMatch: etag }),
    );
    onClose();
  }, [projectId, domain.id, wish, result, etag, writer, onClose, t]);
  const { run, isBusy, error } = useAction(perform);
  /** The domain is not what it was when the preview was made. */
  const isOutdated = error instanceof ApiError && error.status === 412;
  useEffect(() => {
    if (isOutdated) void refetch();
  }, [isOutdated, refetch]);
  return (
    <FormDialog
      title={t.pasteTitle}
      width="wide"
      submit={t.import}
      isReady={isReady}
      action={{ run, isBusy, error: isOutdated ? undefined : error }}
      commands={isReady ? importCommands(domain, wish, wrong.length === 0) : undefined}
      onClose={onClose}
    >
      {isOutdated && <Banner tone="warn">{t.changedMeanwhile}</Banner>}
      <TextArea
        label={t.pasteText}
        {...(pasted.form === 'nothing'
          ? {}
          : { hint: t.readAs(pasted.lines, t.forms[pasted.form]) })}
        rows={7}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
        }}
      />
      <div>
        <Segments
          label={t.mode}
          value={mode}
          options={[
            ['merge', t.merge],
            ['replace', t.replaceAll],
          ]}
          onChange={setMode}
        />
      </div>
      {preview.isFetching && <p role="status">{t.previewing}</p>}
      {preview.error !== null && <FailureBanner error={preview.error} />}
      {result !== undefined && (
        <>
          <Preview result={result} />
          {wrong.length > 0 && (
            <Checkbox
              label={t.skipErrors}
              checked={isSkipping}
              onChange={(event) => {
                setIsSkipping(event.target.checked);
              }}
            />
          )}
          {mustType && (
            <TextField
              label={t.number}
              hint={t.largeText(removed)}
              inputMode="numeric"
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value);
              }}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}

function Preview({ result }: { readonly result: Output<'importZoneFile'> }) {
  const t = useMessages(MESSAGES);
  const { created, updated, deleted, unchanged, difference, not_taken: notTaken } = result;
  const isWrong = notTaken.some(({ severity }) => severity === 'error');
  return (
    <>
      <p role="status" className={styles['summary']}>
        {t.summary(created, updated, deleted, unchanged)}
      </p>
      {difference !== undefined && created + updated + deleted > 0 && (
        <ChangeList
          title={t.review}
          created={difference.create}
          updated={difference.update}
          deleted={difference.delete}
        />
      )}
      {notTaken.length > 0 && (
        <Banner tone={isWrong ? 'warn' : 'info'} title={t.notTaken(result.not_taken_count)}>
          <ul className={styles['lines']}>
            {notTaken.slice(0, MOST_LINES).map(({ line, text: content, reason }) => (
              <li key={line}>
                <strong>{t.line(line)}</strong> <code>{content}</code>
                <br />
                {reason}
              </li>
            ))}
          </ul>
        </Banner>
      )}
    </>
  );
}
