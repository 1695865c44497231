import { useMessages } from '../messages/language.js';
import { SHARED } from '../messages/shared.js';
import { Button } from './button.js';

/** A text that becomes a file, without going anywhere else. */
export function DownloadButton({ name, text }: { readonly name: string; readonly text: string }) {
  const t = useMessages(SHARED);
  return (
    <Button
      icon="download"
      onClick={() => {
        const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
        const link = document.createElement('a');
        link.href = url;
        link.download = name;
        link.click();
        URL.revokeObjectURL(url);
      }}
    >
      {t.download(name)}
    </Button>
  );
}
