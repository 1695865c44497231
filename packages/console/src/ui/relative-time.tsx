import { formatRelative, formatTime, readTime, useLanguage } from '../messages/language.js';

/** How long ago; the exact time where the pointer rests, and for machines. */
export function RelativeTime({ at }: { readonly at: string }) {
  useLanguage();
  const time = readTime(at);
  return (
    <time dateTime={time.toISOString()} title={formatTime(time)}>
      {formatRelative(time)}
    </time>
  );
}
