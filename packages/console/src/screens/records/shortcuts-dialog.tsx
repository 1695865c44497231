import { useMessages } from '../../messages/language.js';
import { Dialog } from '../../ui/dialog.js';
import { MESSAGES } from './messages.js';
import styles from './records.module.css';

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useMessages(MESSAGES);
  return (
    <Dialog title={t.shortcuts} onClose={onClose}>
      <dl className={styles['keys']}>
        {t.keys.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
