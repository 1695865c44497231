import { useEffect, useState } from 'react';

/** After the last key: a look at 10,000 lines takes the service half a second. */
const PAUSE_MS = 250;

/** A value once it stays the same for a moment. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(value);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [value]);
  return settled;
}
