import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { Counter, Gauge, type Registry } from 'prom-client';
import { type Logger, SettingsError } from '@zonewright/service-kit';

/** PEM files of the certificate (with its chain) and its key. */
export interface TlsFileNames {
  readonly certificate: string;
  readonly key: string;
}

interface TlsFilesOptions {
  readonly files: TlsFileNames;
  /** Installs new files for new connections; existing ones keep theirs. */
  readonly install: (options: SecureContextOptions) => void;
  readonly registry: Registry;
  readonly metricPrefix: string;
  readonly log: Logger;
}

/** Interval of checks. Reading two small files is simpler than the change events of each file system. */
const CHECK_INTERVAL_MS = 2_000;

/** Reads certificate and key. @throws SettingsError that names the files if they do not match or cannot be read. */
export function readTlsFiles({ certificate, key }: TlsFileNames): SecureContextOptions {
  try {
    const options: SecureContextOptions = {
      cert: readFileSync(certificate),
      key: readFileSync(key),
      minVersion: 'TLSv1.2',
    };
    // Throws if the two do not match.
    createSecureContext(options);
    return options;
  } catch (error) {
    const reason = (error as Error).message;
    throw new SettingsError([
      `The TLS certificate ${certificate} cannot be used with the key ${key}: ${reason}`,
    ]);
  }
}

/** Registers the metrics of TLS. They also exist without a certificate (undefined); one of them then has no value. */
export function registerTlsMetrics(
  { registry, metricPrefix }: Pick<TlsFilesOptions, 'registry' | 'metricPrefix'>,
  notAfter: () => number | undefined,
): Counter {
  new Gauge({
    name: `${metricPrefix}_tls_certificate_not_after_seconds`,
    help: 'Expiry time of the certificate in use, in seconds since 1970.',
    registers: [registry],
    collect() {
      const seconds = notAfter();
      if (seconds === undefined) this.remove();
      else this.set(seconds);
    },
  });
  return new Counter({
    name: `${metricPrefix}_tls_reload_failures_total`,
    help: 'Changed certificate files that could not be used.',
    registers: [registry],
  });
}

/**
 * Reloads a server's certificate when its files change, so that renewing it needs no restart. Invalid or incomplete
 * files change nothing: the error is logged and counted, and the old certificate is still used.
 */
export class TlsFiles {
  readonly #options: TlsFilesOptions;
  readonly #failures: Counter;
  #content: string;
  #failure: string | undefined;
  #notAfter: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: TlsFilesOptions, current: SecureContextOptions) {
    this.#options = options;
    this.#content = contentOf(current);
    this.#notAfter = endOf(current);
    this.#failures = registerTlsMetrics(options, () => this.#notAfter);
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.reload();
    }, CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Checks the files now. */
  reload(): void {
    const { files, install, log } = this.#options;
    try {
      const options = readTlsFiles(files);
      const content = contentOf(options);
      this.#failure = undefined;
      if (content === this.#content) return;
      install(options);
      this.#content = content;
      this.#notAfter = endOf(options);
      log.info({ file: files.certificate, notAfter: this.#notAfter }, 'TLS certificate replaced');
    } catch (error) {
      // The same error is logged only once.
      const message = (error as Error).message;
      if (message === this.#failure) return;
      this.#failure = message;
      this.#failures.inc();
      log.error({ err: error }, 'TLS certificate not replaced; the old one is still in use');
    }
  }
}

function contentOf({ cert, key }: SecureContextOptions): string {
  return `${(cert as Buffer).toString()}\n${(key as Buffer).toString()}`;
}

/** Returns the expiry time in seconds since 1970. */
function endOf({ cert }: SecureContextOptions): number {
  return Date.parse(new X509Certificate(cert as Buffer).validTo) / 1_000;
}
