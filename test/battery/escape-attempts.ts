/** One thing that a program in a sandbox tries. */
export interface EscapeAttempt {
  readonly name: string;
  /** Text for `sh -c`, or with `node` for `node -e`. Prints ESCAPED when it has got where it must not. */
  readonly sh?: string;
  readonly node?: string;
  /** Reaching a network is allowed: for attempts on sockets that no policy opens. */
  readonly network?: 'any';
}

/** Places of the victims, filled in as `$OUTSIDE` … in shell texts and `v.outside` … in those of node. */
export interface Victims {
  /** A folder beside the workspace, with `secret` and `victim` in it. */
  readonly outside: string;
  /** The workspace, which this run may only read; it has `.git/hooks`, `data` and `link`, which leads outside. */
  readonly workspace: string;
  /** A home folder with `.ssh/id_rsa`. */
  readonly home: string;
  /** The folder of our own approvals. */
  readonly data: string;
  /** A port of this machine where somebody listens, by TCP and by UDP. */
  readonly port: number;
  readonly udp: number;
  /** A process of this machine. */
  readonly pid: number;
  /** A unix socket on which somebody listens, and the name of an abstract one. */
  readonly socket: string;
  readonly abstract: string;
}

const write = (file: string): string => `try { fs.writeFileSync(${file}, 'ESCAPED'); } catch {}`;
const read = (file: string): string =>
  `try { if (fs.readFileSync(${file}, 'utf8').includes('private')) console.log('ESCAPED'); } catch {}`;
const tcp = (host: string, port = 'v.port'): string =>
  `net.connect({ host: '${host}', port: ${port}, timeout: 800 }).on('connect', () => { console.log('ESCAPED'); process.exit(); }).on('timeout', () => process.exit()).on('error', () => process.exit())`;
const unix = (place: string): string =>
  `net.connect({ path: ${place} }).on('connect', () => { console.log('ESCAPED'); process.exit(); }).on('error', () => process.exit())`;

const files: readonly EscapeAttempt[] = [
  { name: 'write beside the workspace', node: write("v.outside + '/victim'") },
  { name: 'write by ..', node: write("v.workspace + '/../outside/victim'") },
  { name: 'write through a link of the workspace', node: write("v.workspace + '/link/victim'") },
  {
    name: 'write through a link of its own',
    node: `try { fs.symlinkSync(v.outside, '/tmp/l'); } catch {} ${write("'/tmp/l/victim'")}`,
  },
  {
    name: 'hard link of a secret into /tmp',
    node: `try { fs.linkSync(v.outside + '/secret', '/tmp/s'); fs.writeFileSync('/tmp/s', 'ESCAPED'); } catch {}`,
  },
  {
    name: 'rename a file of the outside',
    node: `try { fs.renameSync(v.outside + '/victim', v.outside + '/gone'); console.log('ESCAPED'); } catch {}`,
  },
  {
    name: 'delete a file of the outside',
    node: `try { fs.rmSync(v.outside + '/victim'); console.log('ESCAPED'); } catch {}`,
  },
  {
    name: 'change the mode of a file',
    node: `try { fs.chmodSync(v.outside + '/victim', 0o777); console.log('ESCAPED'); } catch {}`,
  },
  { name: 'truncate a file', sh: ': > "$OUTSIDE/victim" && echo ESCAPED' },
  { name: 'append to a file', sh: 'echo ESCAPED >> "$OUTSIDE/victim" && echo ESCAPED' },
  {
    name: 'open with O_TMPFILE and link',
    node: `try { const f = fs.openSync(v.outside, 0o20200002 | 0o2, 0o600); fs.linkSync('/proc/self/fd/' + f, v.outside + '/new'); console.log('ESCAPED'); } catch {}`,
  },
  { name: 'make a device', sh: 'mknod /tmp/d b 8 0 2>/dev/null && head -c 1 /tmp/d && echo ESCAPED' },
  { name: 'make a FIFO in the workspace', sh: 'mkfifo "$WORKSPACE/fifo" && echo ESCAPED' },
  { name: 'make a folder in the workspace', sh: 'mkdir "$WORKSPACE/new" && echo ESCAPED' },
  { name: 'replace the hooks of Git', node: write("v.workspace + '/.git/hooks/post-commit'") },
  {
    name: 'rename .git away',
    node: `try { fs.renameSync(v.workspace + '/.git', v.workspace + '/.old'); console.log('ESCAPED'); } catch {}`,
  },
  { name: 'make .vscode', sh: 'mkdir "$WORKSPACE/.vscode" && echo ESCAPED' },
  { name: 'make .mcp.json', sh: 'echo x > "$WORKSPACE/.mcp.json" && echo ESCAPED' },
  { name: 'write into the home folder', node: write("v.home + '/.bashrc'") },
  { name: 'write into /etc', sh: 'echo x > /etc/capability-escaped && echo ESCAPED' },
  { name: 'write into /usr', sh: 'echo x > /usr/local/bin/capability-escaped && echo ESCAPED' },
  { name: 'write a crontab', sh: 'echo x > /var/spool/cron/crontabs/root && echo ESCAPED' },
];

const secrets: readonly EscapeAttempt[] = [
  { name: 'read a key of SSH', node: read("v.home + '/.ssh/id_rsa'") },
  { name: 'read a key through /proc/self/root', node: read("'/proc/self/root' + v.home + '/.ssh/id_rsa'") },
  { name: 'read a key through /proc/1/root', node: read("'/proc/1/root' + v.home + '/.ssh/id_rsa'") },
  { name: 'read a key through /proc/self/cwd', node: read("'/proc/self/cwd/../home/.ssh/id_rsa'") },
  { name: 'read our approvals', node: read("v.data + '/approvals.json'") },
  { name: 'write our approvals', node: write("v.data + '/approvals.json'") },
  {
    name: 'read the environment of the first process',
    sh: 'tr "\\0" "\\n" < /proc/1/environ | grep -q HOST_SECRET && echo ESCAPED',
  },
  {
    name: 'read the environment of every process',
    sh: 'cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n" | grep -q HOST_SECRET && echo ESCAPED',
  },
  { name: 'read the memory of a process', sh: 'head -c 1 /proc/$PID/mem && echo ESCAPED' },
  { name: 'read the command line of a process', sh: 'grep -q victim-process /proc/$PID/cmdline && echo ESCAPED' },
  { name: 'read the kernel log', sh: 'dmesg 2>/dev/null | head -1 | grep -q . && echo ESCAPED' },
  {
    name: 'read the memory of the machine',
    sh: 'head -c 1 /dev/mem && echo ESCAPED; head -c 1 /proc/kcore && echo ESCAPED',
  },
  {
    name: 'read a disk',
    sh: 'for d in /dev/sda /dev/vda /dev/nvme0n1; do head -c 1 $d 2>/dev/null && echo ESCAPED; done',
  },
  {
    name: 'inherited descriptors',
    sh: 'for f in /proc/self/fd/*; do case $(readlink $f) in *secret*|*approvals*) echo ESCAPED;; esac; done',
  },
];

const processes: readonly EscapeAttempt[] = [
  { name: 'end a process of this machine', sh: 'kill -9 $PID 2>/dev/null' },
  { name: 'end every process', sh: 'kill -9 -1 2>/dev/null; echo' },
  { name: 'stop a process of this machine', sh: 'kill -STOP $PID 2>/dev/null' },
  {
    name: 'set the priority of a process',
    node: `try { require('os').setPriority(v.pid, 19); console.log('ESCAPED'); } catch {}`,
  },
  {
    name: 'enter the namespaces of the first process',
    sh: 'nsenter -t 1 -a true && [ "$(readlink /proc/self/ns/mnt)" != "$(readlink /proc/1/ns/mnt)" ] && echo ESCAPED',
  },
  { name: 'enter the namespaces of a process', sh: 'nsenter -t $PID -m true && echo ESCAPED' },
  { name: 'trace a process', sh: 'command -v strace >/dev/null && strace -p $PID true && echo ESCAPED' },
  {
    name: 'a debugger in its own parent',
    node: `try { process.kill(v.pid, 'SIGUSR1'); console.log('ESCAPED'); } catch {}`,
  },
];

const kernel: readonly EscapeAttempt[] = [
  { name: 'mount', sh: 'mount -t tmpfs none /mnt && echo ESCAPED' },
  { name: 'mount over a protected place', sh: 'mount --bind /tmp "$WORKSPACE/.git" && echo ESCAPED' },
  {
    name: 'remount for writing',
    sh: 'mount -o remount,rw / && echo ESCAPED; mount -o remount,bind,rw "$WORKSPACE" && echo ESCAPED',
  },
  { name: 'unmount what hides a folder', sh: 'umount -l /tmp && echo ESCAPED; umount "$HOMEDIR/.ssh" && echo ESCAPED' },
  { name: 'a new user namespace', sh: 'unshare -U true && echo ESCAPED' },
  { name: 'new namespaces as root', sh: 'unshare -m true && echo ESCAPED; unshare -r -m true && echo ESCAPED' },
  { name: 'a sandbox in the sandbox', sh: 'bwrap --bind / / true && echo ESCAPED' },
  { name: 'chroot', sh: 'chroot /proc/1/root true && echo ESCAPED' },
  { name: 'pivot_root', sh: 'pivot_root /tmp /tmp && echo ESCAPED' },
  { name: 'set the name of the machine', sh: 'hostname escaped && echo ESCAPED' },
  { name: 'set the clock', sh: 'date -s "$(date)" 2>/dev/null && echo ESCAPED' },
  {
    // What is there is written back: an escape must not harm the machine that shows it.
    name: 'write to /proc/sys',
    sh: 'for f in kernel/core_pattern vm/swappiness kernel/sysrq; do cat /proc/sys/$f > /tmp/v && cat /tmp/v > /proc/sys/$f && echo ESCAPED; done',
  },
  { name: 'write to sysrq', sh: 'echo h > /proc/sysrq-trigger && echo ESCAPED' },
  {
    name: 'write to /sys',
    sh: 'echo x > /sys/kernel/uevent_helper && echo ESCAPED; for f in /sys/fs/cgroup/release_agent /sys/fs/cgroup/cgroup.procs; do echo 0 > $f && echo ESCAPED; done',
  },
  { name: 'a new cgroup', sh: 'mkdir /sys/fs/cgroup/escaped && echo ESCAPED' },
  { name: 'load a module', sh: 'modprobe dummy 2>/dev/null && echo ESCAPED; insmod /tmp/x.ko && echo ESCAPED' },
  { name: 'swap', sh: 'swapon /nowhere && [ "$(id -u)" != 0 ] && echo ESCAPED' },
  {
    name: 'capabilities',
    sh: 'grep -q "CapEff:.*[1-9a-f]" /proc/self/status && echo ESCAPED; grep -q "CapBnd:.*[1-9a-f]" /proc/self/status && echo ESCAPED',
  },
  { name: 'new privileges', sh: 'grep -q "NoNewPrivs:.*0" /proc/self/status && echo ESCAPED' },
  { name: 'no filter', sh: 'grep -q "^Seccomp:.*0" /proc/self/status && echo ESCAPED' },
  {
    name: 'a program with more rights',
    sh: 'su -c true nobody 2>/dev/null && echo ESCAPED; sudo -n true 2>/dev/null && [ "$(id -u)" != 0 ] && echo ESCAPED',
  },
  { name: 'a device of the machine', sh: 'ls /dev | grep -qE "^(sd|vd|nvme|kvm|fuse|mem|kmsg)" && echo ESCAPED' },
  {
    name: 'characters into a terminal',
    node: `try { const f = fs.openSync('/dev/tty', 'r+'); fs.writeSync(f, 'x'); console.log('ESCAPED'); } catch {}`,
  },
];

const sockets: readonly EscapeAttempt[] = [
  { name: 'TCP to this machine', node: tcp('127.0.0.1') },
  { name: 'TCP by IPv6', node: tcp('::1') },
  { name: 'TCP to 0.0.0.0', node: tcp('0.0.0.0') },
  { name: 'TCP to localhost', node: tcp('localhost') },
  { name: 'TCP to a metadata service', node: tcp('169.254.169.254', '80') },
  { name: 'TCP to the internet', node: tcp('1.1.1.1', '443') },
  { name: 'TCP to a private network', node: tcp('10.0.0.1', '80') },
  {
    name: 'UDP to this machine',
    node: "const s = require('dgram').createSocket('udp4'); s.on('error', () => process.exit()); s.send('x', v.udp, '127.0.0.1', () => setTimeout(() => process.exit(), 200))",
  },
  { name: 'a name', node: "require('dns').lookup('example.org', (error) => { if (!error) console.log('ESCAPED'); })" },
  {
    name: 'a name server',
    node: "const r = new (require('dns').Resolver)({ timeout: 500, tries: 1 }); r.setServers(['1.1.1.1']); r.resolve4('example.org', (error) => { if (!error) console.log('ESCAPED'); process.exit(); })",
  },
  { name: 'ping', sh: 'ping -c 1 -W 1 1.1.1.1 >/dev/null 2>&1 && echo ESCAPED' },
  {
    name: 'a raw socket',
    sh: 'command -v perl >/dev/null && perl -MSocket -e "socket(S, PF_INET, SOCK_RAW, 1) and print qq(ESCAPED\\n)" 2>/dev/null',
  },
  { name: 'a unix socket', node: unix('v.socket') },
  { name: 'a unix socket where every host may be reached', node: unix('v.socket'), network: 'any' },
  { name: 'an abstract unix socket', node: unix("'\\0' + v.abstract") },
  { name: 'an abstract unix socket where every host may be reached', node: unix("'\\0' + v.abstract"), network: 'any' },
  { name: 'the Docker daemon', node: unix("'/var/run/docker.sock'"), network: 'any' },
  { name: 'the session bus', node: unix("'/run/user/' + process.getuid() + '/bus'"), network: 'any' },
  {
    name: 'to serve on a unix socket',
    node: "net.createServer().on('error', () => process.exit()).listen('/tmp/x.sock', () => { console.log('ESCAPED'); process.exit(); })",
  },
  {
    name: 'a socket of another family',
    sh: 'command -v perl >/dev/null && perl -MSocket -e "for my \\$f (17, 31, 38, 40) { socket(S, \\$f, SOCK_STREAM, 0) and print qq(ESCAPED\\n) }" 2>/dev/null',
    network: 'any',
  },
];

/** Every attempt by threat. */
export const ESCAPE_ATTEMPTS: Readonly<Record<string, readonly EscapeAttempt[]>> = {
  'escape: files': files,
  'escape: secrets': secrets,
  'escape: processes': processes,
  'escape: kernel': kernel,
  'escape: sockets': sockets,
};
