import {
  integer,
  list,
  optionalText,
  readNetwork,
  type Setting,
  SettingsError,
  type SettingsOf,
} from '@zonewright/service-kit';
import type { TlsFileNames } from './tls-files.js';

/** Setting with networks in CIDR form, separated by commas. */
function networks(
  variable: string,
  options: { readonly help: string; readonly default: readonly string[] },
): Setting<readonly string[]> {
  const words = list(variable, options);
  return {
    ...words,
    parse: (text) =>
      words.parse(text).map((word) => {
        const reading = readNetwork(word);
        if ('network' in reading) return reading.network;
        throw new Error(`must contain networks only; "${word}" ${reading.fault}`);
      }),
  };
}

/**
 * Returns the settings of an HTTP API. Each API has its own prefix, such as `DNS_API`, and its own default of
 * MAX_REQUESTS.
 */
export function apiSettings(prefix: 'IDENTITY' | 'DNS_API' | 'CONSOLE', maxRequests: number) {
  return {
    tls: {
      certificateFile: optionalText(`${prefix}_TLS_CERTIFICATE_FILE`, {
        help: 'PEM file with the certificate chain; enables HTTPS.',
      }),
      keyFile: optionalText(`${prefix}_TLS_KEY_FILE`, {
        help: 'PEM file with the private key.',
      }),
    },
    corsOrigins: list(`${prefix}_CORS_ORIGINS`, {
      default: [],
      help: 'Origins that may use the API from browsers, separated by commas; * means any.',
    }),
    trustedProxyNetworks: networks('TRUST_PROXY_ADDRESSES', {
      default: [],
      help: 'Networks of these proxies, such as 10.0.0.0/8; headers from other networks are ignored. The default is all networks.',
    }),
    load: {
      maxRequests: integer(`${prefix}_MAX_REQUESTS`, {
        default: maxRequests,
        minimum: 1,
        help: 'Maximum concurrent requests; others wait.',
      }),
      maxWaitingRequests: integer(`${prefix}_MAX_WAITING_REQUESTS`, {
        default: 256,
        help: 'Requests that may wait (at most 500 ms); others get 503 at once.',
      }),
      maxConnections: integer(`${prefix}_MAX_CONNECTIONS`, {
        default: 20_000,
        minimum: 1,
        help: 'Maximum connections; idle ones are closed first.',
      }),
    },
  };
}

export type ApiSettings = SettingsOf<ReturnType<typeof apiSettings>>;

/** Returns the certificate files, or undefined for plain HTTP. @throws SettingsError if only one of them is set. */
export function tlsFileNames({ tls }: ApiSettings): TlsFileNames | undefined {
  const { certificateFile: certificate, keyFile: key } = tls;
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined) {
    throw new SettingsError([
      'TLS needs a certificate and its key: set both ..._TLS_CERTIFICATE_FILE and ..._TLS_KEY_FILE',
    ]);
  }
  return { certificate, key };
}
