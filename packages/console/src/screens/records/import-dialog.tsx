import { useQuery } from '@tanstack/react-query';
import { ApiError, type Output } from '@zonewright/client';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { clientOf } from '../../api/client.js';
import { keys, type ListedDomain } from '../../api/queries.js';
import { useSettled } from '../../state/hooks.js';
import { useMessages } from '../../state/language.js';
import { Banner, FailureBanner } from '../../ui/banner.js';
import { ChangeList } from '../../ui/change-list.js';
import { Checkbox, FileField, Segments, TextArea, TextField } from '../../ui/field.js';
import { FormDialog } from '../../ui/form-dialog.js';
import {
  type CommandTexts,
  curl,
  MOST_CHARACTERS,
  printed,
  zonewright,
  zonewrightApi,
} from '../../ui/shell.js';
import { useAction } from '../../ui/use-action.js';
import { MESSAGES } from './messages.js';
import type { Writer } from './use-writer.js';
import styles from './import-dialog.module.css';

interface ImportDialogProps {
  readonly projectId: string;
  readonly domain: ListedDomain;
  readonly initial: string;
  readonly writer: Writer;
  readonly onClose: () => void;
}

const MOST_LINES = 50;
const LARGE_PART = 0.3;

/** Previews the import of pasted text, and applies exactly that preview: it requires the previewed serial. */
export function ImportDialog({ projectId, domain, initial, writer, onClose }: ImportDialogProps) {
  const t = useMessages(MESSAGES);
  const [text, setText] = useState(initial);
  const [mode, setMode] = useState<'merge' | 'replace'>('merge');
  const [isSkipping, setIsSkipping] = useState(false);
  const [typed, setTyped] = useState('');
  const zonefile = useSettled(text);
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
    enabled: zonefile.trim() !== '',
    gcTime: 0,
  });
  const { data: { result, etag } = {}, refetch } = preview;
  const wrong = result?.not_taken.filter(({ severity }) => severity === 'error') ?? [];
  const removed = result?.deleted ?? 0;
  const mustType = removed > 1 && removed > (domain.record_count ?? 0) * LARGE_PART;
  const isReady =
    result !== undefined &&
    zonefile === text &&
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
  /** The domain has changed since the preview. */
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
      <FileField
        label={t.chooseFile}
        hint={t.chooseFileHint}
        onFiles={([file]) => {
          if (file !== undefined) setText(file.text);
        }}
      />
      <TextArea
        label={t.pasteText}
        {...(result === undefined ? {} : { hint: t.readAs(formLabel(result.form, t.forms)) })}
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
  const { created, updated, deleted, unchanged, difference, notes, not_taken: notTaken } = result;
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
      {notes.length > 0 && (
        <Banner tone="warn" title={t.notes(notes.length)}>
          <ul className={styles['lines']}>
            {notes.slice(0, MOST_LINES).map(({ line, reason }) => (
              <li key={line}>
                <strong>{t.line(line)}</strong> {reason}
              </li>
            ))}
          </ul>
        </Banner>
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

/** Returns the name of a form. Forms of providers are their names. */
function formLabel(form: string, labels: Readonly<Record<string, string>>): string {
  return labels[form] ?? form;
}

interface ImportWish {
  readonly zonefile: string;
  readonly mode: 'merge' | 'replace';
  readonly on_error: 'skip';
  readonly confirm: true;
}

/** @param isWhole whether no line is wrong: `apply` rejects a file with wrong lines, which the user skips here */
function importCommands(
  { id, name }: { readonly id: string; readonly name: string },
  wish: ImportWish,
  isWhole: boolean,
): CommandTexts | undefined {
  if (wish.zonefile.length > MOST_CHARACTERS) return undefined;
  const request = { method: 'POST', path: `/v1/domains/${id}/import`, body: wish } as const;
  const options = [
    '--domain',
    name.replace(/\.$/, ''),
    ...(wish.mode === 'merge' ? ['--merge'] : []),
  ];
  return {
    zonewright: isWhole
      ? `${printed(wish.zonefile)} | ${zonewright('apply', '-', ...options, '--yes')}`
      : zonewrightApi(request),
    curl: curl(request),
  };
}
