/**
 * A value as it is on the wire, that nobody can change: neither whoever gave it, nor middleware on its way to one
 * client, which would change it for all.
 *
 * @throws TypeError for what JSON cannot say
 */
export function frozenCopy<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), frozen) as Value;
}

function frozen(_name: string, value: unknown): unknown {
  return Object.freeze(value);
}
