/** Sets a member of an object that is being made, whatever its name: `__proto__` would be taken for something else. */
export function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, writable: true });
}
