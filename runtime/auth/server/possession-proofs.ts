import type { RequestHead } from "@mcp-codegen/runtime/http/server";
import { base64url, calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from "jose";
import { PROOF_ALGORITHMS } from "./challenge.js";
import { InvalidTokenError, type TokenClaims } from "./token.js";
import type { PresentedToken } from "./authorization-field.js";

/** Seconds for which a proof is good. */
const LIFETIME = 60;

/** Proofs that are remembered, at most; a newer one is refused then. */
const MOST_REMEMBERED = 100_000;

/** A proof of possession is missing or not good. Its message goes to the client. */
export class InvalidProofError extends Error {
  override readonly name = "InvalidProofError";
}

/**
 * Checks that whoever sends a token holds the key that it is bound to (RFC 9449, section 4.3). Each proof is good once,
 * in this process.
 */
export class PossessionProofs {
  readonly #resource: URL;
  readonly #clockTolerance: number;
  /** Times at which proofs are forgotten, by their thumbprint and id, oldest first. */
  readonly #used = new Map<string, number>();

  constructor(resource: URL, clockTolerance: number) {
    this.#resource = resource;
    this.#clockTolerance = clockTolerance;
  }

  /**
   * @throws InvalidTokenError when token and scheme do not belong together
   * @throws InvalidProofError when the proof is missing, or not for this request and token
   */
  async check(
    { scheme, token }: PresentedToken,
    { cnf }: TokenClaims,
    request: RequestHead,
  ): Promise<void> {
    const bound = cnf?.["jkt"];
    if (cnf !== undefined && typeof bound !== "string") {
      throw new InvalidTokenError("The token is bound in a way that this server does not know");
    }
    if ((bound === undefined) === (scheme === "DPoP")) {
      throw new InvalidTokenError(
        bound === undefined
          ? "The token is bound to no key: send it as Bearer"
          : "The token is bound to a key: send it as DPoP, with a proof",
      );
    }
    if (typeof bound === "string") await this.#checkProof(token, bound, request);
  }

  async #checkProof(token: string, bound: string, request: RequestHead): Promise<void> {
    const proof = request.header("dpop");
    if (proof === undefined || proof.includes(",")) {
      throw new InvalidProofError("One proof belongs into the DPoP field");
    }
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      typ: "dpop+jwt",
      algorithms: [...PROOF_ALGORITHMS],
      clockTolerance: this.#clockTolerance,
      maxTokenAge: LIFETIME,
      requiredClaims: ["iat", "jti", "htm", "htu", "ath"],
    }).catch(() => {
      throw new InvalidProofError("The proof is not valid, or too old");
    });
    const { jti, htm, htu, ath } = payload;
    if (htm !== request.method || !this.#isHere(htu, request)) {
      throw new InvalidProofError("The proof is for another request");
    }
    if (ath !== (await digestOf(token))) {
      throw new InvalidProofError("The proof is for another token");
    }
    if ((await calculateJwkThumbprint(protectedHeader.jwk!)) !== bound) {
      throw new InvalidProofError("The proof is by another key than that of the token");
    }
    this.#use(`${bound} ${jti}`);
  }

  /** True for the URL of this resource, and of the path of the request on its host. */
  #isHere(htu: unknown, { path }: RequestHead): boolean {
    if (typeof htu !== "string" || !URL.canParse(htu)) return false;
    const { origin, pathname } = new URL(htu);
    if (origin !== this.#resource.origin) return false;
    return pathname === this.#resource.pathname || pathname === path;
  }

  #use(id: string): void {
    const now = Date.now();
    for (const [old, until] of this.#used) {
      if (until > now) break;
      this.#used.delete(old);
    }
    if (this.#used.has(id)) throw new InvalidProofError("The proof was used before");
    if (this.#used.size >= MOST_REMEMBERED) {
      throw new InvalidProofError("Too many proofs at once: try again later");
    }
    this.#used.set(id, now + (LIFETIME + 2 * this.#clockTolerance) * 1000);
  }
}

async function digestOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return base64url.encode(new Uint8Array(digest));
}
