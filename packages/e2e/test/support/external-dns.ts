import { endWithThisProcess } from '@zonewright/testkit';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const MEDIA_TYPE = 'application/external.dns.webhook+json;version=1';

/** Endpoint of external-dns for one name and type. */
interface Endpoint {
  readonly dnsName: string;
  readonly recordType: string;
  readonly targets: readonly string[];
  readonly recordTTL?: number;
}

/** Webhook of a recipe, with the protocol of external-dns. */
export class ExternalDns {
  readonly #process: ChildProcess;
  readonly #url: string;

  private constructor(process: ChildProcess, url: string) {
    this.#process = process;
    this.#url = url;
  }

  /** Runs the recipe's command until it listens. */
  static async start(program: string, command: string, cwd: string): Promise<ExternalDns> {
    const script = `exec "$NODE" "$PROGRAM" ${command.trim().replace(/^zonewright /, '')} --listen 127.0.0.1:0`;
    const env = { HOME: cwd, NODE: process.execPath, PROGRAM: program };
    const child = spawn('/bin/sh', ['-c', script], {
      cwd,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    endWithThisProcess(child, 'TERM');
    let said = '';
    const listening = new Promise<string>((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        const [, address] = /Listening on (\S+)\. Press/.exec(said) ?? [];
        if (address !== undefined) resolve(address);
      });
      child.once('exit', () => {
        reject(new Error(`the webhook ended: ${said}`));
      });
    });
    return new ExternalDns(child, `http://${await listening}`);
  }

  async negotiate(): Promise<unknown> {
    return await this.#get('/');
  }

  async records(): Promise<Endpoint[]> {
    return (await this.#get('/records')) as Endpoint[];
  }

  async adjust(endpoints: readonly object[]): Promise<unknown> {
    return await (await this.post('/adjustendpoints', endpoints)).json();
  }

  /** @returns the status @throws Error with the message of the webhook for 500 */
  async apply(changes: Readonly<Record<string, readonly Endpoint[]>>): Promise<number> {
    const response = await this.post('/records', changes);
    if (response.status === 500) throw new Error(await response.text());
    return response.status;
  }

  async post(path: string, body: unknown, type = MEDIA_TYPE): Promise<Response> {
    const headers = { Accept: MEDIA_TYPE, 'Content-Type': type };
    return await fetch(this.#url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async #get(path: string): Promise<unknown> {
    const response = await fetch(this.#url + path, { headers: { Accept: MEDIA_TYPE } });
    if (response.headers.get('content-type') !== MEDIA_TYPE) {
      throw new Error(`${path}: ${response.status} ${await response.text()}`);
    }
    return await response.json();
  }

  /** Stops the program as Kubernetes does. @returns the exit code */
  async stop(): Promise<number | null> {
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    const [code] = (await exited) as [number | null];
    return code;
  }
}
