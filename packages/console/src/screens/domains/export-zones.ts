import { Zip, ZipDeflate } from 'fflate';
import { clientOf } from '../../api/client.js';
import type { ListedDomain } from '../../api/queries.js';
import { doWithEach } from '../../state/lists.js';
import { zoneFileName } from '../../ui/save-file.js';

/** Between the least and the best; zone files have little but names in them. */
const LEVEL = 6;

/**
 * Writes a zone file for each domain into one archive. Files are packed as they arrive, so that the page stays responsive.
 *
 * @throws the error of one domain, or that the export was stopped: nobody may take an incomplete archive for a complete one
 */
export async function exportZones(
  projectId: string,
  domains: readonly ListedDomain[],
  { signal, onProgress }: { readonly signal: AbortSignal; onProgress: (done: number) => void },
): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const archive = new Zip((error, part) => {
    if (error !== null) throw error;
    parts.push(new Uint8Array(part));
  });
  const encoder = new TextEncoder();
  const { failure } = await doWithEach(
    domains,
    async ({ id, name }) => {
      const text = await clientOf(projectId).domains.export(id, { signal });
      const file = new ZipDeflate(zoneFileName(name), { level: LEVEL });
      archive.add(file);
      file.push(encoder.encode(text), true);
    },
    { signal, onProgress },
  );
  signal.throwIfAborted();
  if (failure !== undefined) throw failure.error;
  archive.end();
  return new Blob(parts, { type: 'application/zip' });
}
