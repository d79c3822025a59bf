/**
 * Runs one command and guarantees that nothing of it outlives the process that started this one. Started
 * with `fork`: when the channel to the parent closes (the parent asked for it, or died), everything that the
 * command started is ended and the folder is removed.
 *
 * Arguments: a mark, a folder to remove or an empty string, the command and its arguments. The mark is a
 * random string put into the command's environment; children inherit it even when they leave the process
 * group or lose their parent, which is how terminals, language servers and extension hosts are found.
 */
import { spawn } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const MARK_VARIABLE = 'CAPABILITY_HOST_MARK';
const GRACE_MILLISECONDS = 1500;
const RECHECK_MILLISECONDS = 20;

const [mark = '', folder = '', command = '', ...args] = process.argv.slice(2);
const child = spawn(command, args, {
  env: { ...process.env, [MARK_VARIABLE]: mark },
  stdio: ['ignore', 'inherit', 'inherit'],
});
const exited = new Promise((resolve) => child.once('close', resolve));
let stopping = false;

child.once('spawn', () => process.send?.({ pid: child.pid }));
child.once('error', (error) => console.error(`can't start ${command}: ${error.message}`));
process.once('disconnect', () => void stop());
// The terminal sends Ctrl-C to the whole group; the parent decides when to stop, so it is not ours to act on.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => void stop());
void exited.then(() => stop());

async function stop() {
  if (stopping) return;
  stopping = true;
  child.kill('SIGTERM');
  await Promise.race([exited, delay(GRACE_MILLISECONDS)]);
  await endMarkedProcesses();
  if (folder) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit(0);
}

/** The kernel has no event for the end of a process that is not a child, so this looks again until none is left. */
async function endMarkedProcesses() {
  for (let left = await markedProcesses(); left.length > 0; left = await markedProcesses()) {
    for (const pid of left) kill(pid);
    await delay(RECHECK_MILLISECONDS);
  }
}

async function markedProcesses() {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0 && pid !== process.pid);
  const marked = await Promise.all(pids.map(async (pid) => ((await isMarked(pid)) ? [pid] : [])));
  return marked.flat();
}

/** @param {number} pid */
async function isMarked(pid) {
  // A defunct process has an empty environment, so it is not waited for.
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
  return environment.includes(`${MARK_VARIABLE}=${mark}`);
}

/** @param {number} pid */
function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself in the meantime.
  }
}
