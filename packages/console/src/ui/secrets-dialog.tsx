import type { ReactNode } from 'react';
import { useMessages } from '../state/language.js';
import { SHARED } from '../state/shared-messages.js';
import { Banner } from './banner.js';
import { Button, CopyButton } from './button.js';
import { Dialog } from './dialog.js';
import { Facts } from './page.js';
import styles from './secrets-dialog.module.css';

interface SecretsDialogProps {
  readonly title: string;
  /** Consequence of closing the dialog without saving the secrets. */
  readonly warning: string;
  readonly facts: readonly (readonly [string, ReactNode])[];
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

/** Secrets that are shown only once. Escape does not close the dialog. */
export function SecretsDialog({ title, warning, facts, children, onClose }: SecretsDialogProps) {
  const t = useMessages(SHARED);
  return (
    <Dialog
      title={title}
      width="wide"
      footer={
        <Button kind="primary" onClick={onClose}>
          {t.kept}
        </Button>
      }
    >
      <Banner tone="warn">{warning}</Banner>
      <Facts rows={facts} />
      {children}
    </Dialog>
  );
}

export function Secret({ text }: { readonly text: string }) {
  return (
    <span className={styles['secret']}>
      <code>{text}</code>
      <CopyButton text={text} />
    </span>
  );
}
