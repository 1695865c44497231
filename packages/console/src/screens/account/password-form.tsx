import { useCallback, useState } from 'react';
import { changePassword, type Session, SessionError } from '../../api/session.js';
import { useMessages } from '../../messages/language.js';
import { Banner } from '../../ui/banner.js';
import { Button } from '../../ui/button.js';
import { FailureBanner } from '../../ui/failure.js';
import { TextField } from '../../ui/field.js';
import { showToast } from '../../ui/toasts.js';
import { useAction } from '../../ui/use-action.js';
import styles from './account.module.css';
import { MESSAGES } from './messages.js';

const LEAST_CHARACTERS = 8;
const EMPTY = { original: '', password: '', again: '' };

interface PasswordFormProps {
  readonly projectId: string;
  readonly user: Session['user'];
}

export function PasswordForm({ projectId, user }: PasswordFormProps) {
  const t = useMessages(MESSAGES);
  const [typed, setTyped] = useState(EMPTY);
  const perform = useCallback(async () => {
    await changePassword(projectId, user, typed);
    setTyped(EMPTY);
    showToast({ text: t.changed });
  }, [projectId, user, typed, t]);
  const { run, isBusy, error, clear } = useAction(perform);
  const differ = typed.again !== '' && typed.again !== typed.password;
  const isWrong = error instanceof SessionError && error.status === 401;
  const fieldOf = (member: keyof typeof EMPTY) => ({
    type: 'password',
    required: true,
    autoComplete: member === 'original' ? 'current-password' : 'new-password',
    value: typed[member],
    onChange: ({ target }: { readonly target: { readonly value: string } }) => {
      if (member === 'original') clear();
      setTyped((before) => ({ ...before, [member]: target.value }));
    },
  });
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        if (!differ) void run();
      }}
    >
      {error !== undefined && !isWrong && <Refusal error={error} />}
      {/* For whatever keeps passwords. */}
      <input
        type="text"
        name="username"
        autoComplete="username"
        value={user.name}
        readOnly
        hidden
      />
      <TextField
        label={t.original}
        error={isWrong ? t.wrong : undefined}
        {...fieldOf('original')}
      />
      <TextField
        label={t.next}
        hint={t.nextHint}
        minLength={LEAST_CHARACTERS}
        {...fieldOf('password')}
      />
      <TextField label={t.again} error={differ ? t.differ : undefined} {...fieldOf('again')} />
      <div>
        <Button type="submit" kind="primary" isBusy={isBusy}>
          {t.change}
        </Button>
      </div>
    </form>
  );
}

function Refusal({ error }: { readonly error: unknown }) {
  const t = useMessages(MESSAGES);
  const seconds = error instanceof SessionError ? error.retryAfterSeconds : undefined;
  if (seconds === undefined) return <FailureBanner error={error} />;
  return <Banner tone="bad">{t.wait(seconds)}</Banner>;
}
