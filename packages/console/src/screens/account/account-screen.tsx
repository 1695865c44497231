import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../api/queries.js';
import {
  LANGUAGES,
  type Language,
  languageStore,
  useLanguage,
  useMessages,
} from '../../messages/language.js';
import { leave } from '../../shell/leave.js';
import { MESSAGES as SHELL_MESSAGES } from '../../shell/messages.js';
import type { ProjectScreenProps } from '../../shell/screen-props.js';
import { THEMES, themeStore } from '../../shell/theme.js';
import { useStore } from '../../state/store.js';
import { Button } from '../../ui/button.js';
import { Card, Facts, Page } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { Segments } from '../../ui/segments.js';
import styles from './account.module.css';
import { MESSAGES } from './messages.js';
import { PasswordForm } from './password-form.js';

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
