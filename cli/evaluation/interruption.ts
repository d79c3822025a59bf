import process from 'node:process';

/** Runs something that Ctrl-C brings to an orderly end: it goes by the signal that it is given. */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => {
    controller.abort(new Error('Stopped.'));
  };
  process.once('SIGINT', stop);
  try {
    return await work(controller.signal);
  } finally {
    process.removeListener('SIGINT', stop);
  }
}
