/** Rejects when the work takes longer than this; `what` says what was waited for. */
export async function within<T>(milliseconds: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`waited ${milliseconds / 1000} s for ${what}`));
    }, milliseconds);
  });
  return Promise.race([work, expired]).finally(() => {
    clearTimeout(timer);
  });
}
