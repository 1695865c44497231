import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { sessionQuery } from '../../api/queries.js';
import { changePassword, type Session, SessionError } from '../../api/session.js';
import { leave } from '../../shell/actions.js';
import { MESSAGES as SHELL_MESSAGES } from '../../shell/messages.js';
import type { ProjectScreenProps } from '../../shell/screen-props.js';
import {
  type Language,
  LANGUAGES,
  languageStore,
  useLanguage,
  useMessages,
} from '../../state/language.js';
import { THEMES, themeStore, useStore } from '../../state/store.js';
import { Banner, FailureBanner } from '../../ui/banner.js';
import { Button } from '../../ui/button.js';
import { Segments, TextField } from '../../ui/field.js';
import { Card, Facts, Page } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { showToast } from '../../ui/toasts.js';
import { useAction } from '../../ui/use-action.js';
import { MESSAGES } from './messages.js';
import styles from './account.module.css';

export function AccountScreen({ projectId }: ProjectScreenProps) {
  const t = useMessages(MESSAGES);
  const query = useQuery(sessionQuery);
  return (
    <Page title={t.title}>
      <QueryView query={query}>
        {(session) =>
          session !== null && (
            <>
              <Card
                title={t.who}
                actions={
                  <Button icon="exit" onClick={() => void leave()}>
                    {t.logOut}
                  </Button>
                }
              >
                <Facts
                  rows={[
                    [t.name, <strong key="name">{session.user.name}</strong>],
                    [t.id, <code key="id">{session.user.id}</code>],
                  ]}
                />
              </Card>
              <Card title={t.password}>
                <p>{t.passwordText}</p>
                <PasswordForm projectId={projectId} user={session.user} />
              </Card>
            </>
          )
        }
      </QueryView>
      <Look />
    </Page>
  );
}

function Look() {
  const t = useMessages(MESSAGES);
  const shell = useMessages(SHELL_MESSAGES);
  const language = useLanguage();
  const theme = useStore(themeStore);
  return (
    <Card title={t.look}>
      <p>{t.lookText}</p>
      <div className={styles['choices']}>
        <Segments
          label={shell.theme}
          value={theme}
          options={THEMES.map((each) => [each, shell.themes[each]] as const)}
          onChange={themeStore.set}
        />
        <Segments
          label={shell.language}
          value={language}
          options={Object.entries(LANGUAGES) as [Language, string][]}
          onChange={languageStore.set}
        />
      </div>
    </Card>
  );
}

const LEAST_CHARACTERS = 8;
const EMPTY = { original: '', password: '', again: '' };

interface PasswordFormProps {
  readonly projectId: string;
  readonly user: Session['user'];
}

function PasswordForm({ projectId, user }: PasswordFormProps) {
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
      {/* The hidden name is for password managers. */}
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
