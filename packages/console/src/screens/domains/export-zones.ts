import { Zip, ZipDeflate } from 'fflate';
import { clientOf } from '../../api/client.js';
import type { ListedDomain } from '../../api/queries.js';
import { doWithEach } from '../../state/lists.js';
import { zoneFileName } from '../../state/paths.js';

/** Compression level. Zone files contain little but names, so a higher level has little effect. */
const LEVEL = 6;

/**
 * Writes a zone file for each domain into one archive. Files are compressed as they arrive, so that the page stays
 * responsive.
 *
 * @throws the error of one domain, or an error if the export was stopped: an incomplete archive must not look complete
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
