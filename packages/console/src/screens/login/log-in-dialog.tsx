import type { Session } from '../../api/session.js';
import { clearSavedInput } from '../../state/saved-input.js';
import { useMessages } from '../../messages/language.js';
import { Dialog } from '../../ui/dialog.js';
import { LogInForm } from './log-in-form.js';
import { MESSAGES } from './messages.js';

/** Over the work of whoever was logged in: what waits is sent again afterwards. */
export function LogInDialog({ session }: { readonly session: Session }) {
  const t = useMessages(MESSAGES);
  return (
    <Dialog title={t.sessionEnded}>
      <p>{t.sessionEndedText}</p>
      <LogInForm
        username={session.user.name}
        onDone={(next) => {
          // Somebody else must not go on with what the first one typed.
          if (next.user.id === session.user.id) return;
          clearSavedInput();
          window.location.assign('/');
        }}
      />
    </Dialog>
  );
}
