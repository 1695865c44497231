import type { AccessKey } from '@zonewright/client';
import { useMessages } from '../../messages/language.js';
import { Banner } from '../../ui/banner.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Dialog } from '../../ui/dialog.js';
import { Facts } from '../../ui/page.js';
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
    <Dialog
      title={t.made}
      width="wide"
      footer={
        <Button kind="primary" onClick={onClose}>
          {t.done}
        </Button>
      }
    >
      <Banner tone="warn">{t.once}</Banner>
      <Facts
        rows={[
          [t.id, <code key="id">{accessKeyId}</code>],
          [
            t.secret,
            <span key="secret" className={styles['secret']}>
              <code>{secretKey}</code>
              <CopyButton text={secretKey} />
            </span>,
          ],
        ]}
      />
      <div className={styles['snippet']}>
        <p>{t.snippet}</p>
        <pre tabIndex={0} aria-label={t.snippet}>
          {snippet}
        </pre>
        <CopyButton text={`${snippet}\n`} />
      </div>
    </Dialog>
  );
}
