import { endWithThisProcess, waitFor } from '@zonewright/testkit';
import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Kea's D2, which writes the names of DHCP clients by dynamic update. */
export class KeaDdns {
  readonly #process: ChildProcess;

  constructor(folder: string, config: string) {
    const file = join(folder, 'kea-dhcp-ddns.conf');
    writeFileSync(file, config);
    this.#process = spawn('kea-dhcp-ddns', ['-c', file], {
      stdio: 'ignore',
      env: {
        PATH: process.env['PATH'],
        KEA_PIDFILE_DIR: folder,
        KEA_LOCKFILE_DIR: folder,
        KEA_LOGGER_DESTINATION: join(folder, 'kea.log'),
      },
    });
    endWithThisProcess(this.#process, 'TERM');
  }

  /** Requests a name as Kea's DHCP server does, until it exists: D2 may not listen yet, and datagrams can be lost. */
  async requestName(
    port: number,
    name: string,
    address: string,
    isThere: () => Promise<boolean>,
  ): Promise<void> {
    const request = Buffer.from(
      JSON.stringify({
        'change-type': 0,
        'forward-change': true,
        'reverse-change': false,
        fqdn: name,
        'ip-address': address,
        dhcid: '00010102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F2021',
        'lease-expires-on': '20380101000000',
        'lease-length': 3_600,
        'use-conflict-resolution': true,
      }),
    );
    const length = Buffer.alloc(2);
    length.writeUInt16BE(request.length);
    const socket = createSocket('udp4');
    socket.on('error', () => undefined);
    try {
      await waitFor(async () => {
        socket.send(Buffer.concat([length, request]), port, '127.0.0.1');
        await new Promise((resolve) => setTimeout(resolve, 250));
        return await isThere();
      }, 30_000);
    } finally {
      socket.close();
    }
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await exited;
  }
}
