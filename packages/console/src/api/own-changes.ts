/** Changes for which events may still arrive. */
const MOST = 100;

let own: string[] = [];
/** Writes of this window that have not been answered: an event may be here before the answer. */
let open = 0;

/** Does a write; its event is then no news. */
export async function doOwn<T extends { readonly serial: number | undefined }>(
  domainId: string,
  write: () => Promise<T>,
): Promise<T> {
  open += 1;
  try {
    const answer = await write();
    own = [...own, `${domainId} ${answer.serial ?? ''}`].slice(-MOST);
    return answer;
  } finally {
    open -= 1;
  }
}

export function isOwnChange(domainId: string, serial: number): boolean {
  return open > 0 || own.includes(`${domainId} ${serial}`);
}
