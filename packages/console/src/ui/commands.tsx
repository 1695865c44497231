import { useMessages } from '../messages/language.js';
import { SHARED } from '../messages/shared.js';
import styles from './commands.module.css';
import { type CommandTexts, withinBounds } from './shell.js';
import { Snippet } from './snippet.js';

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
