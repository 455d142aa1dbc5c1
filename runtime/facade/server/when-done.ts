import { isThenable } from "../../ground/index.js";

/** Continues with a value: at once, or when the promise of it has resolved. */
export function whenDone<Value, Next>(
  value: Value | PromiseLike<Value>,
  next: (value: Value) => Next,
): Next | Promise<Next> {
  return isThenable(value)
    ? (Promise.resolve(value).then(next as (value: unknown) => Next) as Promise<Next>)
    : next(value as Value);
}
