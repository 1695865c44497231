import { useMessages } from '../state/language.js';
import { SHARED } from '../state/shared-messages.js';
import { CopyButton, DownloadButton } from './button.js';
import { type CommandTexts, withinBounds } from './shell.js';
import styles from './commands.module.css';

const PROGRAMS = [
  ['zonewright', 'zonewright'],
  ['curl', 'curl'],
  ['terraform', 'Terraform'],
] as const;

interface CommandsProps {
  readonly texts: CommandTexts | undefined;
  /** Accessible name, if no dialog names the commands. */
  readonly label?: string;
}

/** Commands for a script that do the same as a dialog. */
export function Commands({ texts, label }: CommandsProps) {
  const t = useMessages(SHARED);
  const shown = texts && withinBounds(texts);
  if (shown === undefined) return null;
  return (
    <details className={styles['commands']}>
      <summary>{label ?? t.asCommands}</summary>
      {PROGRAMS.map(([member, program]) => {
        const text = shown[member];
        if (text === undefined) return null;
        return (
          <div key={member} className={styles['command']}>
            <Snippet label={program} text={text} copyLabel={t.copyCommand(program)} />
          </div>
        );
      })}
    </details>
  );
}

interface SnippetProps {
  /** Accessible name of the text. */
  readonly label: string;
  readonly text: string;
  readonly copyLabel: string;
  /** Title above the text. */
  readonly title?: string;
  /** Suggested file name. */
  readonly file?: string | undefined;
}

/** Shows a command or a file with a button that copies it, including the trailing newline. */
export function Snippet({ label, text, copyLabel, title, file }: SnippetProps) {
  return (
    <div className={styles['snippet']}>
      {title !== undefined && <p>{title}</p>}
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <div className={styles['buttons']}>
        <CopyButton text={`${text}\n`} label={copyLabel} />
        {file !== undefined && <DownloadButton name={file} text={`${text}\n`} />}
      </div>
    </div>
  );
}
