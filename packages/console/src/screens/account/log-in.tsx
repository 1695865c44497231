import { type KeyboardEvent, useCallback, useEffect, useState } from 'react';
import { sessionQuery } from '../../api/queries.js';
import { queryClient } from '../../api/query-client.js';
import { logIn, type Session, SessionError } from '../../api/session.js';
import { useMessages } from '../../state/language.js';
import { clearSavedInput } from '../../state/store.js';
import { Banner, FailureText } from '../../ui/banner.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Segments, TextField } from '../../ui/field.js';
import { useAction } from '../../ui/use-action.js';
import { MESSAGES } from './log-in-messages.js';
import styles from './log-in.module.css';

/** Shown if nobody is logged in. After the login, the screen of the URL appears. */
export function LogInScreen() {
  const t = useMessages(MESSAGES);
  useEffect(() => {
    document.title = `${t.title} – Zonewright`;
  }, [t]);
  return (
    <main className={styles['screen']}>
      <div className={styles['panel']}>
        <div className={styles['brand']}>
          <img src="/favicon.svg" alt="" width="44" height="44" />
          <h1>Zonewright</h1>
          <p>{t.tagline}</p>
        </div>
        <LogInForm
          onDone={(session) => {
            queryClient.setQueryData(sessionQuery.queryKey, session);
          }}
        />
      </div>
    </main>
  );
}

/** Shown over the user's screen. After the login, pending requests are sent again. */
export function LogInDialog({ session }: { readonly session: Session }) {
  const t = useMessages(MESSAGES);
  return (
    <Dialog title={t.sessionEnded}>
      <p>{t.sessionEndedText}</p>
      <LogInForm
        username={session.user.name}
        onDone={(next) => {
          // Another user must not continue with the first user's input.
          if (next.user.id === session.user.id) return;
          clearSavedInput();
          window.location.assign('/');
        }}
      />
    </Dialog>
  );
}

interface LogInFormProps {
  /** Given if a session has ended. Only its user may continue it. */
  readonly username?: string;
  readonly onDone: (session: Session) => void;
}

type Way = 'password' | 'key';

function LogInForm({ username = '', onDone }: LogInFormProps) {
  const t = useMessages(MESSAGES);
  const [way, setWay] = useState<Way>('password');
  const [name, setName] = useState(username);
  const [secret, setSecret] = useState('');
  const perform = useCallback(async () => {
    const credentials =
      way === 'password'
        ? { username: name, password: secret }
        : { accessKeyId: name.trim(), secretKey: secret.trim() };
    onDone(await logIn(credentials));
  }, [way, name, secret, onDone]);
  const action = useAction(perform);
  const waitSeconds = useCountdown(
    action.error instanceof SessionError ? action.error.retryAfterSeconds : undefined,
    action.error,
  );
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        if (waitSeconds === 0) void action.run();
      }}
    >
      <Segments
        label={t.how}
        value={way}
        options={[
          ['password', t.byPassword],
          ['key', t.byKey],
        ]}
        onChange={(next) => {
          setWay(next);
          setName(next === 'password' ? username : '');
          setSecret('');
          action.clear();
        }}
      />
      <TextField
        label={way === 'password' ? t.username : t.accessKey}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        autoFocus={username === ''}
        required
        value={name}
        onChange={(event) => {
          setName(event.target.value);
        }}
      />
      <SecretField
        label={way === 'password' ? t.password : t.secretKey}
        value={secret}
        onChange={setSecret}
        hasFocus={username !== ''}
      />
      {action.error !== undefined && <Refusal error={action.error} waitSeconds={waitSeconds} />}
      <Button type="submit" kind="primary" isBusy={action.isBusy} disabled={waitSeconds > 0}>
        {t.logIn}
      </Button>
    </form>
  );
}

function SecretField({
  label,
  value,
  onChange,
  hasFocus,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hasFocus: boolean;
}) {
  const t = useMessages(MESSAGES);
  const [isShown, setIsShown] = useState(false);
  const [hasCapsLock, setHasCapsLock] = useState(false);
  const watch = (event: KeyboardEvent) => {
    setHasCapsLock(event.getModifierState('CapsLock'));
  };
  return (
    <div className={styles['secret']}>
      <TextField
        label={label}
        name="password"
        type={isShown ? 'text' : 'password'}
        autoComplete="current-password"
        autoFocus={hasFocus}
        required
        value={value}
        {...(hasCapsLock ? { hint: t.capsLock } : {})}
        onKeyDown={watch}
        onKeyUp={watch}
        onChange={(event) => {
          onChange(event.target.value);
        }}
      />
      <button
        type="button"
        aria-pressed={isShown}
        onClick={() => {
          setIsShown(!isShown);
        }}
      >
        {isShown ? t.hide : t.show}
      </button>
    </div>
  );
}

function Refusal({
  error,
  waitSeconds,
}: {
  readonly error: unknown;
  readonly waitSeconds: number;
}) {
  const t = useMessages(MESSAGES);
  const status = error instanceof SessionError ? error.status : undefined;
  return (
    <Banner tone="bad">
      {status === 401 ? (
        t.wrong
      ) : status === 429 && waitSeconds > 0 ? (
        t.wait(waitSeconds)
      ) : (
        <FailureText error={error} />
      )}
    </Banner>
  );
}

/** Counts down from `seconds` to 0 and starts again for each `cause`. */
function useCountdown(seconds: number | undefined, cause: unknown): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    setLeft(seconds ?? 0);
    if (seconds === undefined) return undefined;
    const timer = setInterval(() => {
      setLeft((now) => Math.max(0, now - 1));
    }, 1_000);
    return () => {
      clearInterval(timer);
    };
  }, [seconds, cause]);
  return left;
}
