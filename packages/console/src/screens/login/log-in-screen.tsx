import { useEffect } from 'react';
import { sessionQuery } from '../../api/queries.js';
import { queryClient } from '../../api/query-client.js';
import { useMessages } from '../../messages/language.js';
import { LogInForm } from './log-in-form.js';
import styles from './log-in.module.css';
import { MESSAGES } from './messages.js';

/** For whoever is not logged in. Afterwards one is where the address says. */
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
