import { writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { generate } from 'selfsigned';

export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

/** Writes a certificate for hosts, which is its own authority, and its key into `folder`, as `name`.pem and `name`.key. */
export async function writeCertificate(
  folder: string,
  name: string,
  ...hosts: readonly string[]
): Promise<CertificateFiles> {
  const files = { certificate: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) };
  const altNames = (hosts.length === 0 ? ['127.0.0.1'] : hosts).map((host) =>
    isIP(host) === 0 ? ({ type: 2, value: host } as const) : ({ type: 7, ip: host } as const),
  );
  const made = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames }],
  });
  writeFileSync(files.certificate, made.cert);
  writeFileSync(files.key, made.private, { mode: 0o600 });
  return files;
}
