import { trimMalloc } from './transport/libc.js';

/**
 * Collects all garbage of this thread and gives its memory back to the system, which V8 by itself may put off for hours
 * where little is going on. Takes the thread some 100 ms: for after work that it does once. Rejects where Node.js has been
 * built without its inspector, or the memory of malloc() cannot be given back.
 */
export async function giveBackMemory(): Promise<void> {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  try {
    // Like gc() of --expose-gc, but it also makes the young generation small again.
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
  trimMalloc();
}
