import type { AccessKey } from '@zonewright/client';
import { useMessages } from '../../messages/language.js';
import { CopyButton } from '../../ui/copy-button.js';
import { DownloadButton } from '../../ui/download-button.js';
import { Secret, SecretsDialog } from '../../ui/secrets-dialog.js';
import styles from './keys.module.css';
import { MESSAGES } from './messages.js';

interface SecretDialogProps {
  readonly accessKey: AccessKey;
  readonly projectId: string;
  readonly onClose: () => void;
}

/** Of a key that has just been made: nobody shows its secret again. */
export function SecretDialog({ accessKey, projectId, onClose }: SecretDialogProps) {
  const t = useMessages(MESSAGES);
  const { accessKeyId, secretKey = '' } = accessKey;
  const snippet = [
    `ZONEWRIGHT_TENANT_ID=${projectId}`,
    `ZONEWRIGHT_ACCESS_KEY=${accessKeyId}`,
    `ZONEWRIGHT_SECRET_KEY=${secretKey}`,
  ].join('\n');
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
      <div className={styles['snippet']}>
        <p>{t.snippet}</p>
        <pre tabIndex={0} aria-label={t.snippet}>
          {snippet}
        </pre>
        <div className={styles['snippetButtons']}>
          <CopyButton text={`${snippet}\n`} />
          <DownloadButton name={`${accessKeyId}.env`} text={`${snippet}\n`} />
        </div>
      </div>
    </SecretsDialog>
  );
}
