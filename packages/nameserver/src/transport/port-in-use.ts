import { createServer, isIPv6 } from 'node:net';

/** Does a process, this one included, listen on this TCP port of one of the addresses? */
export async function isPortInUse(hosts: readonly string[], port: number): Promise<boolean> {
  for (const host of hosts) if (await isInUse(host, port)) return true;
  return false;
}

/** A listener that shares its port with nobody is refused if there is one already, even one that shares it. */
async function isInUse(host: string, port: number): Promise<boolean> {
  const listener = createServer();
  const code = await new Promise<string | undefined>((resolve) => {
    listener.once('error', ({ code: reason }: NodeJS.ErrnoException) => {
      resolve(reason);
    });
    listener.listen({ host, port, ipv6Only: isIPv6(host), exclusive: true }, () => {
      listener.close(() => {
        resolve(undefined);
      });
    });
  });
  return code === 'EADDRINUSE';
}
