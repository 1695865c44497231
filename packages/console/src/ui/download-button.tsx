import { useMessages } from '../messages/language.js';
import { SHARED } from '../messages/shared.js';
import { Button } from './button.js';
import { saveFile } from './save-file.js';

export function DownloadButton({ name, text }: { readonly name: string; readonly text: string }) {
  const t = useMessages(SHARED);
  return (
    <Button
      icon="download"
      onClick={() => {
        saveFile(name, new Blob([text], { type: 'text/plain' }));
      }}
    >
      {t.download(name)}
    </Button>
  );
}
