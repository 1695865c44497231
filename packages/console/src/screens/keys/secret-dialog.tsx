import { useQuery } from '@tanstack/react-query';
import type { AccessKey } from '@zonewright/client';
import { projectQuery } from '../../api/queries.js';
import { useMessages } from '../../messages/language.js';
import { CopyButton } from '../../ui/copy-button.js';
import { DownloadButton } from '../../ui/download-button.js';
import { Loading } from '../../ui/query-view.js';
import { Secret, SecretsDialog } from '../../ui/secrets-dialog.js';
import styles from './keys.module.css';
import { MESSAGES } from './messages.js';
import { toSnippets } from './snippets.js';

interface SecretDialogProps {
  readonly accessKey: AccessKey;
  readonly projectId: string;
  readonly onClose: () => void;
}

/** Of a key that has just been made: nobody shows its secret again. */
export function SecretDialog({ accessKey, projectId, onClose }: SecretDialogProps) {
  const t = useMessages(MESSAGES);
  const { data: project, isPending } = useQuery(projectQuery(projectId));
  const { accessKeyId, secretKey = '' } = accessKey;
  const snippets = toSnippets(accessKey, projectId, project?.urls.identity);
  return (
    <SecretsDialog
      title={t.made}
      warning={t.once}
      facts={[
        [t.id, <code key="id">{accessKeyId}</code>],
        [t.secret, <Secret key="secret" text={secretKey} />],
      ]}
      onClose={onClose}
    >
      {isPending ? (
        <Loading />
      ) : (
        snippets.map(({ kind, text, file }) => (
          <div key={kind} className={styles['snippet']}>
            <p>{t.snippets[kind]}</p>
            <pre tabIndex={0} aria-label={t.snippets[kind]}>
              {text}
            </pre>
            <div className={styles['snippetButtons']}>
              <CopyButton text={`${text}\n`} label={t.copySnippet[kind]} />
              {file !== undefined && <DownloadButton name={file} text={`${text}\n`} />}
            </div>
          </div>
        ))
      )}
    </SecretsDialog>
  );
}
