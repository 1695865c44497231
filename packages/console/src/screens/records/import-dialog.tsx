import { useQuery } from '@tanstack/react-query';
import { ApiError, type Output } from '@zonewright/client';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { clientOf } from '../../api/client.js';
import { keys, type ListedDomain } from '../../api/queries.js';
import { useSettled } from '../../state/hooks.js';
import { useMessages } from '../../state/language.js';
import { Banner, FailureBanner } from '../../ui/banner.js';
import { ChangeList } from '../../ui/change-list.js';
import { Checkbox, Segments, TextArea, TextField } from '../../ui/field.js';
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
import { absoluteName } from './record-text.js';
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

type PastedForm = 'zone' | 'csv' | 'tsv' | 'hosts' | 'addresses' | 'nothing';

interface Pasted {
  readonly form: PastedForm;
  readonly lines: number;
  /** Lines of a zone file for the service. */
  readonly zonefile: string;
}

const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/;
const IPV6 = /^(?=.*:)[\da-f:.]{2,45}$/i;
const TYPE = /^[A-Z][A-Z0-9-]{0,15}$/i;

const isAddress = (text: string) => IPV4.test(text) || IPV6.test(text);
const typeOf = (address: string) => (IPV4.test(address) ? 'A' : 'AAAA');

/** Converts pasted text to lines of a zone file. Zone files and the output of dig are not changed. */
function readPasted(text: string, domain: string): Pasted {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !/^\s*[#;]/.test(line));
  const form = formOf(lines);
  const toName = (name: string) => absoluteName(name, { name: domain });
  const written: Readonly<Record<PastedForm, () => string>> = {
    nothing: () => '',
    zone: () => text,
    addresses: () =>
      lines.map((line) => `${domain} IN ${typeOf(line.trim())} ${line.trim()}`).join('\n'),
    hosts: () => lines.flatMap((line) => readHosts(line, toName)).join('\n'),
    csv: () => lines.flatMap((line) => readRow(splitCsv(line), toName)).join('\n'),
    tsv: () => lines.flatMap((line) => readRow(line.split('\t'), toName)).join('\n'),
  };
  return { form, lines: lines.length, zonefile: written[form]() };
}

function formOf(lines: readonly string[]): PastedForm {
  if (lines.length === 0) return 'nothing';
  const every = (test: (line: string) => boolean) => lines.every(test);
  if (every((line) => isAddress(line.trim()))) return 'addresses';
  if (every((line) => /^\s*\S+\s+\S+/.test(line) && isAddress(line.trim().split(/\s+/)[0] ?? '')))
    return 'hosts';
  const isTable = (rows: readonly (readonly string[])[]) =>
    rows.every((row) => row.length >= 3) && rows.some((row) => isRow(row));
  if (every((line) => line.includes('\t')) && isTable(lines.map((line) => line.split('\t'))))
    return 'tsv';
  if (every((line) => /[,;]/.test(line)) && isTable(lines.map(splitCsv))) return 'csv';
  return 'zone';
}

/**
 * Whether a row has name, type, data and TTL, and is not a heading. In a zone file, the second field is a class or a
 * number.
 */
function isRow([, type = '', data = '']: readonly string[]): boolean {
  return (
    TYPE.test(type.trim()) &&
    !/^(IN|type)$/i.test(type.trim()) &&
    data.trim() !== '' &&
    !TYPE_NAMES.has(data.trim().toUpperCase())
  );
}

const TYPE_NAMES: ReadonlySet<string> = new Set([
  'A',
  'AAAA',
  'CNAME',
  'MX',
  'TXT',
  'NS',
  'SRV',
  'CAA',
  'IN',
]);

function readRow(row: readonly string[], toName: (name: string) => string): string[] {
  if (!isRow(row)) return [];
  const [name = '', type = '', data = '', ttl = ''] = row.map((cell) => cell.trim());
  const seconds = /^\d+$/.test(ttl) ? ttl : '';
  const isText = /^(TXT|SPF)$/i.test(type) && !data.startsWith('"');
  const value = isText ? `"${data.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : data;
  return [
    [toName(name), seconds, 'IN', type.toUpperCase(), value]
      .filter((part) => part !== '')
      .join(' '),
  ];
}

function readHosts(line: string, toName: (name: string) => string): string[] {
  const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
  return names.map((name) => `${toName(name)} IN ${typeOf(address)} ${address}`);
}

/** Splits a line of CSV (RFC 4180), with commas or semicolons. */
function splitCsv(line: string): string[] {
  const separator = line.includes(',') ? ',' : ';';
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at] ?? '';
    if (isQuoted && letter === '"' && line[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (letter === '"') isQuoted = !isQuoted;
    else if (letter === separator && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else cell += letter;
  }
  return [...cells, cell];
}
