/** Header fields of a request: by `get`, and as members, each by its name in lower case. */
export type HeaderView = Headers & Record<string, string | undefined>;

/** View on what a lookup finds, for those who expect `Headers` and those who expect a record. */
export function headersOf(header: (name: string) => string | undefined): HeaderView {
  const methods: Record<string, unknown> = {
    get: (name: string) => header(name.toLowerCase()) ?? null,
    has: (name: string) => header(name.toLowerCase()) !== undefined,
  };
  return new Proxy(methods, {
    get: (target, name) =>
      typeof name === "string" ? (target[name] ?? header(name.toLowerCase())) : undefined,
  }) as HeaderView;
}
