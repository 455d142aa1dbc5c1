import type { RequestHead } from "@mcp-codegen/runtime/http/server";
import { base64url, calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from "jose";
import { PROOF_ALGORITHMS, type PresentedToken } from "./credentials.js";
import { InvalidTokenError, type TokenClaims } from "./token.js";

/** The time for which a proof is valid, in seconds. */
const LIFETIME = 60;

/** The maximum numbers of remembered proofs. Further ones are rejected until the oldest expire. */
export interface ProofLimits {
  readonly total: number;
  readonly perKey: number;
}
const LIMITS: ProofLimits = { total: 100_000, perKey: 10_000 };

/** The maximum length of a proof's id, in characters. */
const LONGEST_ID = 512;

/** Thrown for a missing or invalid proof of possession. Its message is sent to the client. */
export class InvalidProofError extends Error {
  override readonly name = "InvalidProofError";
}

/**
 * Checks proofs that the sender of a token holds the key that the token is bound to (RFC 9449, section 4.3). Each proof
 * is accepted only once in this process.
 */
export class PossessionProofs {
  readonly #resource: URL;
  readonly #clockTolerance: number;
  readonly #limits: ProofLimits;
  /** Accepted proofs, keyed by a digest of their key and id, oldest first. */
  readonly #used = new Map<string, { readonly key: string; readonly until: number }>();
  readonly #counts = new Map<string, number>();

  constructor(resource: URL, clockTolerance: number, limits: ProofLimits = LIMITS) {
    this.#resource = resource;
    this.#clockTolerance = clockTolerance;
    this.#limits = limits;
  }

  async check(
    { scheme, token }: PresentedToken,
    { cnf }: TokenClaims,
    request: RequestHead,
  ): Promise<void> {
    const bound = cnf?.["jkt"];
    if (cnf !== undefined && typeof bound !== "string") {
      throw new InvalidTokenError(
        "This server does not support the way in which the token is bound",
      );
    }
    if ((bound === undefined) === (scheme === "DPoP")) {
      throw new InvalidTokenError(
        bound === undefined
          ? "The token is not bound to a key: send it as Bearer"
          : "The token is bound to a key: send it as DPoP, with a proof",
      );
    }
    if (typeof bound === "string") await this.#checkProof(token, bound, request);
  }

  async #checkProof(token: string, bound: string, request: RequestHead): Promise<void> {
    const proof = request.header("dpop");
    if (proof === undefined || proof.includes(",")) {
      throw new InvalidProofError("The DPoP field must contain one proof");
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
    const { jti, htm, htu, ath } = payload as Record<string, unknown>;
    if (typeof jti !== "string" || jti === "" || jti.length > LONGEST_ID) {
      throw new InvalidProofError(`The id of the proof must have 1 to ${LONGEST_ID} characters`);
    }
    if (htm !== request.method || !this.#isHere(htu, request)) {
      throw new InvalidProofError("The proof is for another request");
    }
    if (ath !== (await digestOf(token))) {
      throw new InvalidProofError("The proof is for another token");
    }
    if ((await calculateJwkThumbprint(protectedHeader.jwk!)) !== bound) {
      throw new InvalidProofError("The proof is signed with another key than that of the token");
    }
    this.#use(bound, await digestOf(`${bound} ${jti}`));
  }

  /** Returns true if the URL is this resource's own, or the request's path on the resource's host. */
  #isHere(htu: unknown, { path }: RequestHead): boolean {
    if (typeof htu !== "string" || !URL.canParse(htu)) return false;
    const { origin, pathname } = new URL(htu);
    if (origin !== this.#resource.origin) return false;
    return pathname === this.#resource.pathname || pathname === path;
  }

  #use(key: string, id: string): void {
    this.#removeExpired();
    if (this.#used.has(id)) throw new InvalidProofError("The proof was used before");
    const count = this.#counts.get(key) ?? 0;
    const { total, perKey } = this.#limits;
    if (this.#used.size >= total || count >= perKey) {
      throw new InvalidProofError("Too many proofs at once: try again later");
    }
    this.#counts.set(key, count + 1);
    this.#used.set(id, {
      key,
      until: Date.now() + (LIFETIME + 2 * this.#clockTolerance) * 1000,
    });
  }

  #removeExpired(): void {
    const now = Date.now();
    for (const [id, { key, until }] of this.#used) {
      if (until > now) return;
      this.#used.delete(id);
      const left = this.#counts.get(key)! - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
    }
  }
}

async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return base64url.encode(new Uint8Array(digest));
}
