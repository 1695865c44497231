import { useEffect, useState } from 'react';
import { formatRelative, formatTime, readTime, useLanguage } from '../state/language.js';

/** Shows a relative time. The exact time is in its tooltip, and in an attribute for programs. */
export function RelativeTime({ at }: { readonly at: string }) {
  useLanguage();
  const time = readTime(at);
  return (
    <time dateTime={time.toISOString()} title={formatTime(time)}>
      {formatRelative(time)}
    </time>
  );
}

const MINUTE_MS = 60_000;

/** Shows the remaining time. It counts each second during the last minute. */
export function Countdown({ until }: { readonly until: string }) {
  useLanguage();
  const [now, setNow] = useState(() => Date.now());
  const time = readTime(until);
  const isSoon = time.getTime() - now < MINUTE_MS;
  useEffect(() => {
    const timer = setInterval(
      () => {
        setNow(Date.now());
      },
      isSoon ? 1_000 : MINUTE_MS / 2,
    );
    return () => {
      clearInterval(timer);
    };
  }, [isSoon]);
  return <time dateTime={time.toISOString()}>{formatRelative(time, now)}</time>;
}
