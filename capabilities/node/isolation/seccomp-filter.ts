/** Processors the filter is known for, as Node names them. */
export type FilteredArchitecture = 'x64' | 'arm64';

interface SystemCalls {
  /** AUDIT_ARCH_* of linux/audit.h. */
  readonly audit: number;
  /** Number from which on calls are of a second table (x32), which is refused whole. */
  readonly secondTable: number | undefined;
  readonly socket: number;
  readonly ioctl: number;
  /** Refused whatever their arguments: they reach other processes, the kernel's own tables, mounts and namespaces. */
  readonly refused: Readonly<Record<string, number>>;
}

/** The numbers are those of the kernel's tables: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h. */
const newCalls = {
  ...{ io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, open_tree: 428, move_mount: 429 },
  ...{ fsopen: 430, fsconfig: 431, fsmount: 432, fspick: 433, mount_setattr: 442 },
};
const tables: Readonly<Record<FilteredArchitecture, SystemCalls>> = {
  x64: {
    ...{ audit: 0xc000003e, secondTable: 0x40000000, socket: 41, ioctl: 16 },
    refused: {
      ...{ ptrace: 101, pivot_root: 155, mount: 165, umount2: 166, init_module: 175, delete_module: 176 },
      ...{ kexec_load: 246, add_key: 248, request_key: 249, keyctl: 250, unshare: 272, perf_event_open: 298 },
      ...{ open_by_handle_at: 304, setns: 308, process_vm_readv: 310, process_vm_writev: 311, finit_module: 313 },
      ...{ kexec_file_load: 320, bpf: 321, userfaultfd: 323, ...newCalls },
    },
  },
  arm64: {
    ...{ audit: 0xc00000b7, secondTable: undefined, socket: 198, ioctl: 29 },
    refused: {
      ...{ umount2: 39, mount: 40, pivot_root: 41, unshare: 97, kexec_load: 104, init_module: 105 },
      ...{ delete_module: 106, ptrace: 117, add_key: 217, request_key: 218, keyctl: 219, perf_event_open: 241 },
      ...{ open_by_handle_at: 265, setns: 268, process_vm_readv: 270, process_vm_writev: 271, finit_module: 273 },
      ...{ bpf: 280, userfaultfd: 282, kexec_file_load: 294, ...newCalls },
    },
  },
};

/** IPv4, IPv6, and netlink, by which programs ask for their own interfaces. Not AF_UNIX, AF_VSOCK, AF_PACKET, AF_ALG … */
const socketFamilies = [2, 10, 16];
/** TIOCSTI and TIOCLINUX put characters into the input of a terminal. */
const refusedRequests = [0x5412, 0x541c];

const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const PERMISSION_DENIED = 0x00050000 | 1;
/** Offsets in struct seccomp_data; of an argument the lower half. Both processors are little-endian. */
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const argumentAt = (index: number): number => 16 + 8 * index;

type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, value: number];

/**
 * A classic BPF program (struct sock_filter: u16, u8, u8, u32) that a process and its children can't take off: no socket but IPv4, IPv6 and
 * netlink (`socketpair` stays, programs need it), nothing typed into terminals, no look into other processes, no mounts and no new namespaces.
 * Undefined for a processor that it is not known for.
 */
export function buildSeccompFilter(architecture: string): Buffer | undefined {
  const calls = isFiltered(architecture) ? tables[architecture] : undefined;
  if (calls === undefined) return undefined;
  return assemble([
    [LOAD, 0, 0, ARCHITECTURE_AT],
    [JUMP_EQUAL, 1, 0, calls.audit],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, NUMBER_AT],
    ...(calls.secondTable === undefined ? [] : refuseFrom(calls.secondTable)),
    ...Object.values(calls.refused).flatMap((number) => when(number, [[RETURN, 0, 0, PERMISSION_DENIED]])),
    ...when(calls.socket, [
      [LOAD, 0, 0, argumentAt(0)],
      ...socketFamilies.flatMap((family) => when(family, [[RETURN, 0, 0, ALLOW]])),
      [RETURN, 0, 0, PERMISSION_DENIED],
    ]),
    ...when(calls.ioctl, [
      [LOAD, 0, 0, argumentAt(1)],
      ...refusedRequests.flatMap((request) => when(request, [[RETURN, 0, 0, PERMISSION_DENIED]])),
      [RETURN, 0, 0, ALLOW],
    ]),
    [RETURN, 0, 0, ALLOW],
  ]);
}

function isFiltered(architecture: string): architecture is FilteredArchitecture {
  return Object.hasOwn(tables, architecture);
}

function refuseFrom(number: number): readonly Instruction[] {
  return [
    [JUMP_AT_LEAST, 0, 1, number],
    [RETURN, 0, 0, PERMISSION_DENIED],
  ];
}

/** The instructions when the loaded value is this one, else whatever follows. */
function when(value: number, instructions: readonly Instruction[]): readonly Instruction[] {
  return [[JUMP_EQUAL, 0, instructions.length, value], ...instructions];
}

function assemble(instructions: readonly Instruction[]): Buffer {
  const program = Buffer.alloc(instructions.length * 8);
  instructions.forEach(([code, jumpTrue, jumpFalse, value], index) => {
    const at = index * 8;
    program.writeUInt16LE(code, at);
    program.writeUInt8(jumpTrue, at + 2);
    program.writeUInt8(jumpFalse, at + 3);
    program.writeUInt32LE(value, at + 4);
  });
  return program;
}
