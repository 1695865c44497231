import { createRequire } from 'node:module';
import { getSystemErrorName } from 'node:util';
import type Koffi from 'koffi';

type Octets = Uint8Array | Int32Array;

/** The system calls that Node.js does not make; each returns -1 for an error, which `errno` then names. */
export interface Libc {
  readonly socket: (domain: number, type: number, protocol: number) => number;
  readonly bind: (fd: number, address: Octets, length: number) => number;
  readonly connect: (fd: number, address: Octets, length: number) => number;
  readonly getsockname: (fd: number, address: Octets, length: Octets) => number;
  readonly setsockopt: (
    fd: number,
    level: number,
    name: number,
    value: Octets,
    length: number,
  ) => number;
  readonly recvmmsg: (fd: number, messages: Octets, count: number, flags: number) => number;
  readonly sendmmsg: (fd: number, messages: Octets, count: number, flags: number) => number;
  readonly poll: (fds: Octets, count: number, timeoutMs: number) => number;
  readonly close: (fd: number) => number;
  readonly errno: () => number;
  /** Memory that stays where it is, so that the kernel may be given addresses in it. */
  readonly allocate: (octets: number) => PinnedMemory;
}

/** Memory outside the JavaScript heap, and where it is. */
export interface PinnedMemory {
  readonly octets: Uint8Array;
  readonly address: bigint;
  /** Frees the memory. The octets must not be used afterwards. */
  readonly free: () => void;
}

/** Architectures with 64-bit pointers and the lowest octet first, as the layouts in udp-batch-buffers.ts require. */
const ARCHITECTURES: readonly string[] = ['x64', 'arm64'];

/**
 * The C library, by koffi, whose binaries come inside its npm packages. Throws, with words for the operator, where that
 * cannot be had: on other systems than Linux, and where npm left optional packages out.
 */
export function loadLibc(): Libc {
  const { platform, arch } = process;
  if (platform !== 'linux' || !ARCHITECTURES.includes(arch)) {
    throw new Error(
      `Batches of UDP messages are for Linux on x64 and arm64, not ${platform} ${arch}.`,
    );
  }
  const koffi = loadKoffi();
  const library = loadOwnLibrary(koffi);
  const recvmmsg = library.func('int recvmmsg(int, void *, uint, int, void *)');
  return {
    socket: library.func('int socket(int, int, int)'),
    bind: library.func('int bind(int, void *, uint)'),
    connect: library.func('int connect(int, void *, uint)'),
    getsockname: library.func('int getsockname(int, void *, void *)'),
    setsockopt: library.func('int setsockopt(int, int, int, void *, uint)'),
    recvmmsg: (fd, messages, count, flags) => recvmmsg(fd, messages, count, flags, null) as number,
    sendmmsg: library.func('int sendmmsg(int, void *, uint, int)'),
    poll: library.func('int poll(void *, ulong, int)'),
    close: library.func('int close(int)'),
    errno: () => koffi.errno(),
    allocate: (octets) => {
      const pointer = koffi.alloc('uint8_t', octets) as unknown;
      return {
        octets: new Uint8Array(koffi.view(pointer, octets)),
        address: koffi.address(pointer),
        free: () => {
          koffi.free(pointer);
        },
      };
    },
  };
}

/**
 * Has malloc() give back to the system what it keeps of freed memory. Throws where that cannot be had: without koffi, and
 * with another C library than GNU's.
 */
function trimMalloc(): void {
  loadOwnLibrary(loadKoffi()).func('int malloc_trim(size_t)')(0);
}

function loadKoffi(): typeof Koffi {
  return createRequire(import.meta.url)('koffi') as typeof Koffi;
}

/** Loads this process itself: the C library, whatever it is, is in it already. */
function loadOwnLibrary(koffi: typeof Koffi): ReturnType<typeof Koffi.load> {
  return koffi.load(null);
}

/** The last error of a system call, in the form that Node's own have. */
export function systemError(libc: Libc, call: string, address?: string): NodeJS.ErrnoException {
  const errno = libc.errno();
  const code = getSystemErrorName(-errno);
  const where = address === undefined ? '' : ` ${address}`;
  return Object.assign(new Error(`${call} ${code}${where}`), {
    code,
    errno,
    syscall: call,
    address,
  });
}

/**
 * Collects all garbage of this thread and gives its memory back to the system, which V8 by itself may put off for hours
 * where little is going on. Takes the thread some 100 ms: for after work that it does once. Rejects where Node.js has been
 * built without its inspector, or the memory of malloc() cannot be given back.
 */
export async function giveBackMemory(): Promise<void> {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  try {
    // Like gc() of --expose-gc, but it also makes the young generation small again.
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
  trimMalloc();
}
