import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useMessages } from '../state/language.js';
import { SHARED } from '../state/shared-messages.js';
import { Button } from './button.js';
import styles from './dialog.module.css';

const FIRST_FIELD =
  ':is(input:not([type=radio], [type=checkbox]), select, textarea):not([disabled])';

interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Buttons, with the main one last. */
  readonly footer?: ReactNode;
  readonly width?: 'small' | 'wide';
  /** Undefined if the dialog needs an answer. */
  readonly onClose?: (() => void) | undefined;
  /** Called by the submit button and by the Enter key. */
  readonly onSubmit?: (() => void) | undefined;
}

/** Native modal dialog: content below it is inert, Escape closes it, and the focus returns to its previous element. */
export function Dialog({
  title,
  children,
  footer,
  width = 'small',
  onClose,
  onSubmit,
}: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const t = useMessages(SHARED);
  useEffect(() => {
    const dialog = ref.current;
    if (dialog?.open === false) {
      dialog.showModal();
      // The browser would focus the first button, which closes the dialog.
      dialog.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
    }
    return () => {
      dialog?.close();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      className={`${styles['dialog'] ?? ''} ${styles[width] ?? ''}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <Inner onSubmit={onSubmit}>
        <header className={styles['header']}>
          <h2 id={titleId}>{title}</h2>
          {onClose !== undefined && (
            <Button kind="quiet" icon="close" aria-label={t.close} onClick={onClose} />
          )}
        </header>
        <div className={styles['body']}>{children}</div>
        {footer !== undefined && <footer className={styles['footer']}>{footer}</footer>}
      </Inner>
    </dialog>
  );
}

/** Content of the dialog. It is a form only if there is an action to submit, since the content may contain forms. */
function Inner({
  onSubmit,
  children,
}: {
  readonly onSubmit: (() => void) | undefined;
  readonly children: ReactNode;
}) {
  if (onSubmit === undefined) return <div className={styles['form']}>{children}</div>;
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
