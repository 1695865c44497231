import { CopyButton } from './copy-button.js';
import { DownloadButton } from './download-button.js';
import styles from './snippet.module.css';

interface SnippetProps {
  /** Accessible name of the text. */
  readonly label: string;
  readonly text: string;
  readonly copyLabel: string;
  /** Above the text. */
  readonly title?: string;
  /** Suggested file name. */
  readonly file?: string | undefined;
}

/** A command or a file, to be copied with the end of its line. */
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
