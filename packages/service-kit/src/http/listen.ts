import type { AddressInfo, Server } from 'node:net';

/** @returns the port, which was chosen by the system where it was 0. */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}
