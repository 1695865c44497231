import { useState } from 'react';
import { useMessages } from '../messages/language.js';
import { SHARED } from '../messages/shared.js';
import { Button } from './button.js';

export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const t = useMessages(SHARED);
  const [isCopied, setIsCopied] = useState(false);
  return (
    <Button
      icon={isCopied ? 'check' : 'copy'}
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => {
          setIsCopied(true);
        });
      }}
      onBlur={() => {
        setIsCopied(false);
      }}
    >
      {isCopied ? t.copied : (label ?? t.copy)}
    </Button>
  );
}
