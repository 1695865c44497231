import { useCallback, useMemo, useRef, useState } from 'react';
import { clientOf } from '../../api/client.js';
import type { ListedDomain } from '../../api/queries.js';
import { changeCommands, deleteCommands } from './domain-commands.js';
import { useMessages } from '../../state/language.js';
import { SHARED } from '../../state/shared-messages.js';
import { problemsByField } from '../../ui/banner.js';
import { TextField } from '../../ui/field.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { toUnicodeName } from '../../ui/unicode-name.js';
import { useAction } from '../../ui/use-action.js';
import styles from './domains.module.css';
import { MESSAGES } from './messages.js';
import { useMany } from './use-many.js';

interface ManyDialogProps {
  readonly projectId: string;
  readonly domains: readonly ListedDomain[];
  readonly onDone: (done: readonly ListedDomain[]) => void;
  readonly onClose: () => void;
}

/** Dialog that deletes several domains. The user types their number to confirm, as the name for a single domain. */
export function DeleteManyDialog({ projectId, domains, onDone, onClose }: ManyDialogProps) {
  const t = useMessages(MESSAGES);
  const shared = useMessages(SHARED);
  const [typed, setTyped] = useState('');
  const { run, progress } = useMany(projectId, onDone);
  const perform = useCallback(async () => {
    const client = clientOf(projectId);
    await run(domains, {
      write: ({ id }) => client.domains.delete(id),
      undo: ({ id }) => client.domains.undelete(id),
      said: t.deletedMany,
    });
    onClose();
  }, [projectId, domains, run, onClose, t]);
  return (
    <FormDialog
      title={t.deleteTitle(domains.length)}
      submit={shared.delete}
      isDangerous
      isReady={typed.trim() === String(domains.length)}
      action={useAction(perform)}
      commands={deleteCommands(domains)}
      onClose={onClose}
    >
      <p>{t.deleteText}</p>
      <Names domains={domains} />
      <Progress done={progress} all={domains.length} />
      <TextField
        label={shared.confirmName(String(domains.length))}
        inputMode="numeric"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
        }}
      />
    </FormDialog>
  );
}

export function ChangeManyDialog({ projectId, domains, onDone, onClose }: ManyDialogProps) {
  const t = useMessages(MESSAGES);
  const shared = useMessages(SHARED);
  const [email, setEmail] = useState('');
  const [ttl, setTtl] = useState('');
  const { run, progress } = useMany(projectId, onDone);
  const changed = useMemo(
    () => ({
      ...(email.trim() === '' ? {} : { email: email.trim() }),
      ...(ttl.trim() === '' ? {} : { ttl: Number(ttl) }),
    }),
    [email, ttl],
  );
  const before = useRef(new Map<string, { readonly email: string; readonly ttl: number }>());
  const perform = useCallback(async () => {
    const client = clientOf(projectId);
    await run(domains, {
      write: async ({ id }) => {
        // An undo restores the values in the database, which may differ from those in the list.
        const { value } = await client.domains.get(id);
        before.current.set(id, { email: value.email, ttl: value.ttl });
        return await client.domains.update(id, changed);
      },
      undo: ({ id }) => client.domains.update(id, before.current.get(id) ?? {}),
      said: t.changedMany,
    });
    onClose();
  }, [projectId, domains, changed, run, onClose, t]);
  const action = useAction(perform);
  const problems = problemsByField(action.error);
  return (
    <FormDialog
      title={t.changeTitle(domains.length)}
      submit={shared.save}
      isReady={email.trim() !== '' || ttl.trim() !== ''}
      action={action}
      commands={changeCommands(domains, changed)}
      onClose={onClose}
    >
      <p>{t.changeText}</p>
      <TextField
        label={t.email}
        type="email"
        isOptional
        error={problems['email']}
        value={email}
        onChange={(event) => {
          setEmail(event.target.value);
        }}
      />
      <TextField
        label={t.ttl}
        inputMode="numeric"
        isOptional
        error={problems['ttl']}
        value={ttl}
        onChange={(event) => {
          setTtl(event.target.value);
        }}
      />
      <Names domains={domains} />
      <Progress done={progress} all={domains.length} />
    </FormDialog>
  );
}

function Names({ domains }: { readonly domains: readonly ListedDomain[] }) {
  const t = useMessages(MESSAGES);
  return (
    <ul className={styles['names']} tabIndex={0} aria-label={t.chosen(domains.length)}>
      {domains.map(({ id, name }) => (
        <li key={id}>{toUnicodeName(name.replace(/\.$/, ''))}</li>
      ))}
    </ul>
  );
}

function Progress({ done, all }: { readonly done: number | undefined; readonly all: number }) {
  const t = useMessages(MESSAGES);
  if (done === undefined) return null;
  return (
    <progress className={styles['progress']} aria-label={t.working} value={done} max={all}>
      {done}
    </progress>
  );
}
