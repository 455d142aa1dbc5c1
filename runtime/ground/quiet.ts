/** A rejection that nobody looks at is no reason to end a process; who awaits the promise still gets it. */
export function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
