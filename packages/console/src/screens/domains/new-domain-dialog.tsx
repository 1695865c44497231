import { defaultEmail } from '@zonewright/client';
import { useCallback, useState } from 'react';
import { useLocation } from 'wouter';
import { createCommands, importCommands } from './domain-commands.js';
import { clientOf } from '../../api/client.js';
import { doOwn } from '../../api/query-client.js';
import { refreshDomain } from '../../api/queries.js';
import { useMessages } from '../../state/language.js';
import { paths } from '../../state/paths.js';
import { problemsByField } from '../../ui/banner.js';
import { type ChosenFile, FileField, TextArea, TextField } from '../../ui/field.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { showToast, showUndo } from '../../ui/toasts.js';
import { useAction } from '../../ui/use-action.js';
import styles from './domains.module.css';
import { MESSAGES } from './messages.js';

export function NewDomainDialog({
  projectId,
  onClose,
}: {
  readonly projectId: string;
  readonly onClose: () => void;
}) {
  const t = useMessages(MESSAGES);
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  const [givenEmail, setGivenEmail] = useState<string>();
  const [hasFile, setHasFile] = useState(false);
  const [zonefile, setZonefile] = useState('');
  const name = toAsciiName(typed);
  const email = givenEmail ?? (name === '' ? '' : defaultEmail(name));
  const perform = useCallback(async () => {
    const client = clientOf(projectId);
    const { id, skipped } = hasFile
      ? await client.domains
          .importNew({ name: `${name}.`, email, zonefile, on_error: 'skip' })
          .then(({ value }) => ({
            id: value.domain.id,
            skipped: value.not_taken.filter(({ severity }) => severity === 'error').length,
          }))
      : await client.domains
          .create({ name: `${name}.`, email })
          .then(({ value }) => ({ id: value.id, skipped: 0 }));
    const undo = async () => {
      // Navigate first, since the domain's screen would query a domain that does not exist yet.
      navigate(paths.domains(projectId));
      await doOwn(id, () => client.domains.delete(id));
      await refreshDomain(projectId, id);
    };
    showUndo(skipped === 0 ? t.created(name) : `${t.created(name)}: ${t.skipped(skipped)}`, undo);
    await refreshDomain(projectId, id);
    navigate(paths.records(projectId, name));
  }, [projectId, hasFile, name, email, zonefile, navigate, t]);
  const [files, setFiles] = useState<readonly ChosenFile[]>([]);
  const importAll = useCallback(async () => {
    // Files are imported one after the other: if one is rejected, the error names it, and the domains of earlier
    // files exist.
    for (const file of files) await importFile(projectId, file, t.unnamed(file.name));
    showToast({ text: t.createdMany(files.length) });
    onClose();
  }, [projectId, files, onClose, t]);
  const hasMany = hasFile && files.length > 1;
  const action = useAction(hasMany ? importAll : perform);
  const chooseFiles = async (chosen: readonly ChosenFile[]) => {
    setFiles(chosen);
    const [file] = chosen;
    if (file === undefined || chosen.length > 1) return;
    setZonefile(file.text);
    const { value } = await clientOf(projectId).domains.read({ zonefile: file.text });
    if (value.domain !== null && typed === '') setTyped(value.domain.replace(/\.$/, ''));
    if (value.email !== null && givenEmail === undefined) setGivenEmail(value.email);
  };
  const problems = problemsByField(action.error);
  return (
    <FormDialog
      title={t.newDomain}
      submit={t.create}
      action={action}
      commands={
        name === '' || hasMany
          ? undefined
          : hasFile
            ? importCommands(name, email, zonefile)
            : createCommands(name, email)
      }
      onClose={onClose}
    >
      {!hasMany && (
        <NameFields
          {...{ name, typed, email, problems }}
          onName={setTyped}
          onEmail={setGivenEmail}
        />
      )}
      <ContentsField hasFile={hasFile} onChange={setHasFile} />
      {hasFile && (
        <FileField
          label={t.files}
          hint={hasMany ? files.map((file) => file.name).join(', ') : t.filesHint}
          multiple
          onFiles={(chosen) => void chooseFiles(chosen).catch(() => undefined)}
        />
      )}
      {hasFile && !hasMany && (
        <TextArea
          label={t.file}
          hint={t.fileHint}
          error={problems['zonefile']}
          required
          value={zonefile}
          onChange={(event) => {
            setZonefile(event.target.value);
          }}
        />
      )}
    </FormDialog>
  );
}

interface NameFieldsProps {
  readonly name: string;
  readonly typed: string;
  readonly email: string;
  readonly problems: ReturnType<typeof problemsByField>;
  readonly onName: (typed: string) => void;
  readonly onEmail: (email: string) => void;
}

function NameFields({ name, typed, email, problems, onName, onEmail }: NameFieldsProps) {
  const t = useMessages(MESSAGES);
  return (
    <>
      <TextField
        label={t.nameLabel}
        hint={name !== typed && name !== '' ? name : t.nameHint}
        error={problems['name']}
        required
        autoCapitalize="none"
        value={typed}
        onChange={(event) => {
          onName(event.target.value);
        }}
      />
      <TextField
        label={t.email}
        hint={t.emailHint}
        error={problems['email']}
        type="email"
        required
        value={email}
        onChange={(event) => {
          onEmail(event.target.value);
        }}
      />
    </>
  );
}

/** Choice between an empty domain and one from files. */
function ContentsField({
  hasFile,
  onChange,
}: {
  readonly hasFile: boolean;
  readonly onChange: (hasFile: boolean) => void;
}) {
  const t = useMessages(MESSAGES);
  return (
    <fieldset className={styles['choice']}>
      <legend>{t.contents}</legend>
      <label>
        <input
          type="radio"
          name="contents"
          checked={!hasFile}
          onChange={() => {
            onChange(false);
          }}
        />{' '}
        {t.empty}
      </label>
      <label>
        <input
          type="radio"
          name="contents"
          checked={hasFile}
          onChange={() => {
            onChange(true);
          }}
        />{' '}
        {t.fromFile}
      </label>
    </fieldset>
  );
}

/**
 * Creates a domain from a zone file.
 *
 * @throws ApiError, or an Error with the text `unnamed` if the file does not name its domain
 */
async function importFile(projectId: string, { text: zonefile }: ChosenFile, unnamed: string) {
  const { domains } = clientOf(projectId);
  const { value } = await domains.read({ zonefile });
  if (value.domain === null) throw new Error(unnamed);
  const name = value.domain;
  const email = value.email ?? defaultEmail(name);
  const created = await domains.importNew({ name, email, zonefile, on_error: 'skip' });
  await refreshDomain(projectId, created.value.domain.id);
}

/** Returns the name in the form that the service accepts: A-labels (RFC 5890), converted by the browser's URL class. */
function toAsciiName(text: string): string {
  const name = text.trim().replace(/\.$/, '').toLowerCase();
  if (/^[\x20-\x7e]*$/.test(name)) return name;
  return URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : name;
}
