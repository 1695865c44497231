import type { ReactNode } from 'react';
import { useMessages } from '../state/language.js';
import { SHARED } from '../state/shared-messages.js';
import { Button } from './button.js';
import { Commands } from './commands.js';
import { Dialog } from './dialog.js';
import { FailureBanner } from './banner.js';
import type { CommandTexts } from './shell.js';
import type { Action } from './use-action.js';

interface FormDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly width?: 'small' | 'wide';
  /** Label of the submit button. */
  readonly submit: string;
  /** Whether the action deletes something. */
  readonly isDangerous?: boolean;
  /** Whether the form can be submitted. */
  readonly isReady?: boolean;
  readonly action: Pick<Action<[]>, 'run' | 'isBusy' | 'error'>;
  /** Commands with the same effect. Undefined if nothing has been entered yet, or if a script cannot do it. */
  readonly commands: CommandTexts | undefined;
  readonly onClose: () => void;
}

/** Dialog for a single action: the error comes first, the buttons last. */
export function FormDialog({
  title,
  children,
  width = 'small',
  submit,
  isDangerous = false,
  isReady = true,
  action: { run, isBusy, error },
  commands,
  onClose,
}: FormDialogProps) {
  const t = useMessages(SHARED);
  return (
    <Dialog
      title={title}
      width={width}
      onClose={onClose}
      onSubmit={() => {
        if (isReady && !isBusy) void run();
      }}
      footer={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button
            type="submit"
            kind={isDangerous ? 'danger' : 'primary'}
            isBusy={isBusy}
            disabled={!isReady}
          >
            {submit}
          </Button>
        </>
      }
    >
      {error !== undefined && <FailureBanner error={error} />}
      {children}
      <Commands texts={commands} />
    </Dialog>
  );
}
