import { useCallback, useState } from 'react';
import { useLocation } from 'wouter';
import { createCommands, importCommands } from './domain-commands.js';
import { clientOf } from '../../api/client.js';
import { doOwn } from '../../api/query-client.js';
import { refreshDomain } from '../../api/queries.js';
import { useMessages } from '../../state/language.js';
import { paths } from '../../state/paths.js';
import { problemsByField } from '../../ui/banner.js';
import { TextArea, TextField } from '../../ui/field.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { showUndo } from '../../ui/toasts.js';
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
  const email = givenEmail ?? (name === '' ? '' : `hostmaster@${name}`);
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
  const action = useAction(perform);
  const problems = problemsByField(action.error);
  return (
    <FormDialog
      title={t.newDomain}
      submit={t.create}
      action={action}
      commands={
        name === ''
          ? undefined
          : hasFile
            ? importCommands(name, email, zonefile)
            : createCommands(name, email)
      }
      onClose={onClose}
    >
      <TextField
        label={t.nameLabel}
        hint={name !== typed && name !== '' ? name : t.nameHint}
        error={problems['name']}
        required
        autoCapitalize="none"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
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
          setGivenEmail(event.target.value);
        }}
      />
      <fieldset className={styles['choice']}>
        <legend>{t.contents}</legend>
        <label>
          <input
            type="radio"
            name="contents"
            checked={!hasFile}
            onChange={() => {
              setHasFile(false);
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
              setHasFile(true);
            }}
          />{' '}
          {t.fromFile}
        </label>
      </fieldset>
      {hasFile && (
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

/** Returns the name in the form that the service accepts: A-labels (RFC 5890), converted by the browser's URL class. */
function toAsciiName(text: string): string {
  const name = text.trim().replace(/\.$/, '').toLowerCase();
  if (/^[\x20-\x7e]*$/.test(name)) return name;
  return URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : name;
}
