import { type AuthorizationServer, DPoP, type DPoPHandle, generateKeyPair } from "oauth4webapi";
import { OAuthError } from "./errors.js";

const ALGORITHM = "ES256";
const CURVE = { name: "ECDSA", namedCurve: "P-256" };

/** Key that tokens are bound to (RFC 9449), with the nonces that servers gave. */
export interface DpopKey {
  readonly handle: DPoPHandle;
  /** The private key, to keep with the tokens. */
  readonly jwk: JsonWebKey;
}

/** A key; that of tokens which are there already, if given. */
export async function dpopKey(jwk?: JsonWebKey): Promise<DpopKey> {
  const pair = jwk === undefined ? await newPair() : await importPair(jwk);
  return {
    handle: DPoP({}, pair),
    jwk: jwk ?? (await crypto.subtle.exportKey("jwk", pair.privateKey)),
  };
}

/** @throws OAuthError when the authorization server does not verify what this client signs */
export function requireDpop({
  dpop_signing_alg_values_supported: supported,
}: AuthorizationServer): void {
  if (supported === undefined || supported.includes(ALGORITHM)) return;
  throw new OAuthError("token", "The authorization server verifies no DPoP proofs of this client", {
    expected: `"${ALGORITHM}" in dpop_signing_alg_values_supported`,
  });
}

function newPair(): Promise<CryptoKeyPair> {
  return generateKeyPair(ALGORITHM, { extractable: true }) as Promise<CryptoKeyPair>;
}

async function importPair(jwk: JsonWebKey): Promise<CryptoKeyPair> {
  const { kty, crv, x, y } = jwk;
  const open = { kty, crv, x, y } as JsonWebKey;
  const { subtle } = crypto;
  return {
    privateKey: await subtle.importKey("jwk", jwk, CURVE, false, ["sign"]),
    publicKey: await subtle.importKey("jwk", open, CURVE, true, ["verify"]),
  };
}
