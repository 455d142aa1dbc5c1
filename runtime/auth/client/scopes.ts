/** The scopes in a list with spaces. */
export function scopesIn(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.split(" ").filter((scope) => scope !== "");
}

/** All scopes of several lists, each once. */
export function union(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())];
}

/** True when a list has all scopes of another one. */
export function includesAll(list: readonly string[], others: readonly string[]): boolean {
  return others.every((one) => list.includes(one));
}

/** Input of a choice of scopes. */
export interface ScopeSources {
  readonly challenge: string | undefined;
  /** Scopes that were requested before, which a step-up keeps. */
  readonly before: readonly string[];
  readonly resource: readonly string[] | undefined;
  readonly wanted: readonly string[];
  /** Scopes that the authorization server lists. */
  readonly server: unknown;
  /** True when a refresh token is of use. */
  readonly isLasting: boolean;
}

/** Scopes of a request: those of the challenge, else those of the resource, else none (MCP: scope selection strategy). */
export function chooseScopes(sources: ScopeSources): readonly string[] {
  const { challenge, before, resource = [], wanted, server, isLasting } = sources;
  const asked = scopesIn(challenge);
  const chosen = union(before, asked.length > 0 || before.length > 0 ? asked : resource, wanted);
  const knowsOffline = Array.isArray(server) && server.includes("offline_access");
  const addsOffline = isLasting && knowsOffline && chosen.length > 0;
  return addsOffline ? union(chosen, ["offline_access"]) : chosen;
}
