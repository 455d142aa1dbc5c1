import type { TokenClaims } from "./token.js";

/** Scopes by the ones that they include: `{ "notes:admin": ["notes:write"] }`. */
export type ScopeHierarchy = Readonly<Record<string, readonly string[]>>;

/** Scopes that a token grants, those that they include among them. */
export function grantedScopes(claims: TokenClaims, hierarchy: ScopeHierarchy): readonly string[] {
  const granted = new Set(namedScopes(claims));
  for (const scope of granted) {
    for (const included of Object.hasOwn(hierarchy, scope) ? hierarchy[scope]! : []) {
      granted.add(included);
    }
  }
  return [...granted];
}

function namedScopes({ scope, scp }: TokenClaims): readonly string[] {
  const named = [scope ?? [], scp ?? []].flat();
  return named
    .flatMap((one) => (typeof one === "string" ? one.split(" ") : []))
    .filter((one) => one !== "");
}
