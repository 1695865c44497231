import { createRequire } from 'node:module';
import { getSystemErrorName } from 'node:util';
import type Koffi from 'koffi';

type Octets = Uint8Array | Int32Array;

/** System calls that Node.js lacks. Each returns -1 on failure and sets `errno`. */
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
  /** Memory at a fixed address, for pointers that the kernel gets. */
  readonly allocate: (octets: number) => PinnedMemory;
}

/** Memory outside of the JavaScript heap, and its address. */
export interface PinnedMemory {
  readonly octets: Uint8Array;
  readonly address: bigint;
  /** Frees the memory. It must not be used afterwards. */
  readonly free: () => void;
}

/** 64-bit little-endian architectures: the layouts in udp-batch-buffers.ts require both. */
const ARCHITECTURES: readonly string[] = ['x64', 'arm64'];

/**
 * Loads the C library with koffi, whose npm packages contain its binaries.
 * @throws Error with a message for operators on systems other than Linux, and if npm omitted optional packages
 */
export function loadLibc(): Libc {
  const { platform, arch } = process;
  if (platform !== 'linux' || !ARCHITECTURES.includes(arch)) {
    throw new Error(`UDP in batches requires Linux on x64 or arm64, not ${platform} ${arch}.`);
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
 * Makes malloc() return freed memory to the system.
 * @throws Error without koffi, and with a C library other than GNU's
 */
function trimMalloc(): void {
  loadOwnLibrary(loadKoffi()).func('int malloc_trim(size_t)')(0);
}

function loadKoffi(): typeof Koffi {
  return createRequire(import.meta.url)('koffi') as typeof Koffi;
}

/** Loads the process itself, which contains its C library. */
function loadOwnLibrary(koffi: typeof Koffi): ReturnType<typeof Koffi.load> {
  return koffi.load(null);
}

/** Returns the last error of a system call, in the form of Node.js. */
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
 * Collects all garbage of this thread and returns the memory to the system. Otherwise V8 may delay that for hours in an
 * idle process. It blocks the thread for about 100 ms, so it is meant for use after a single large task. Rejects if
 * Node.js was built without its inspector, or if malloc() cannot return memory.
 */
export async function giveBackMemory(): Promise<void> {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  try {
    // This is the same as gc() of --expose-gc, and also shrinks the young generation.
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
  trimMalloc();
}
