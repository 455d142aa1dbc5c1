import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTVerifyGetKey } from "jose";
import { authorizationServerMetadata, pausingFetch, sharedWork } from "./issuer-metadata.js";
import { InvalidTokenError, type TokenClaims, type TokenVerifier } from "./token.js";

export interface JwtOptions {
  /** The accepted signature algorithms, which must be asymmetric. Default: RS256, PS256, ES256 and EdDSA. */
  readonly algorithms?: readonly string[] | undefined;
  /**
   * The URL of the keys, for use with a single authorization server only. Default: `jwks_uri` from the issuer's
   * metadata.
   */
  readonly jwksUri?: string | undefined;
  /**
   * The time during which the keys are not fetched again, in milliseconds, even if tokens name unknown key ids. This
   * prevents a flood of invented ids from becoming a flood of requests. Default: 30,000.
   */
  readonly cooldown?: number | undefined;
  /** The number of milliseconds after which keys are fetched again. Default: 600,000. */
  readonly cacheMaxAge?: number | undefined;
}

/** The types of JWT that can be an access token (RFC 9068, section 4). Older servers use `JWT` or no type at all. */
const TYPES: ReadonlySet<string> = new Set(["at+jwt", "jwt"]);

const ASYMMETRIC = /^(?:[RP]S(?:256|384|512)|ES(?:256|384|512)|EdDSA|Ed25519)$/;

const TIMEOUT = 5000;

/**
 * Verifies JWT access tokens (RFC 9068) with the keys that their issuers publish.
 *
 * @throws TypeError if an algorithm is not asymmetric
 */
export function jwt(options: JwtOptions = {}): TokenVerifier {
  const { algorithms = ["RS256", "PS256", "ES256", "EdDSA"], jwksUri } = options;
  for (const algorithm of algorithms) {
    if (ASYMMETRIC.test(algorithm)) continue;
    throw new TypeError(`jwt: "${algorithm}" is not an asymmetric signature algorithm`);
  }
  const keys = new Map<string, () => Promise<JWTVerifyGetKey>>();
  const keysOf = (issuer: string): Promise<JWTVerifyGetKey> => {
    let found = keys.get(issuer);
    if (found === undefined) {
      found = sharedWork(() => keySet(issuer, jwksUri, options));
      keys.set(issuer, found);
    }
    return found();
  };
  return async (token, { authorizationServers, clockTolerance }) => {
    const issuer = issuerIn(token);
    if (issuer === undefined) return undefined;
    if (!authorizationServers.includes(issuer)) {
      throw new InvalidTokenError("The token is from an authorization server that is not trusted");
    }
    const key = await keysOf(issuer);
    try {
      const { payload, protectedHeader } = await jwtVerify(token, key, {
        issuer,
        algorithms: [...algorithms],
        clockTolerance,
        requiredClaims: ["exp"],
      });
      assertType(protectedHeader.typ);
      return payload as TokenClaims;
    } catch (error) {
      throw isAboutToken(error) ? new InvalidTokenError(describe(error)) : error;
    }
  };
}

/** Rejects JWTs that were issued for another purpose, such as `logout+jwt`. */
function assertType(type: string | undefined): void {
  if (type === undefined) return;
  if (TYPES.has(type.toLowerCase().replace(/^application\//, ""))) return;
  throw new InvalidTokenError("The token is a JWT, but not an access token");
}

async function keySet(
  issuer: string,
  jwksUri: string | undefined,
  { cooldown = 30_000, cacheMaxAge = 600_000 }: JwtOptions,
): Promise<JWTVerifyGetKey> {
  const uri = jwksUri ?? (await authorizationServerMetadata(issuer))["jwks_uri"];
  if (typeof uri !== "string") {
    throw new Error(`The metadata of ${issuer} has no jwks_uri: pass jwt({ jwksUri })`);
  }
  return createRemoteJWKSet(new URL(uri), {
    timeoutDuration: TIMEOUT,
    cooldownDuration: cooldown,
    cacheMaxAge,
    [customFetch]: pausingFetch(),
  });
}

/**
 * Returns the issuer named in a token that has not been verified yet. Returns undefined if the token is not a JWT or
 * does not name an issuer.
 */
function issuerIn(token: string): string | undefined {
  const [, payload, signature, ...more] = token.split(".");
  if (payload === undefined || signature === undefined || more.length > 0) return undefined;
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll("-", "+").replaceAll("_", "/")), (one) =>
      one.charCodeAt(0),
    );
    const { iss } = JSON.parse(new TextDecoder().decode(bytes)) as { iss?: unknown };
    return typeof iss === "string" ? iss : undefined;
  } catch {
    return undefined;
  }
}

/** Returns true if the error is caused by the token rather than by the request for the keys. */
function isAboutToken(error: unknown): boolean {
  return (
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    !(error instanceof errors.JWKSInvalid) &&
    error.code !== "ERR_JOSE_GENERIC"
  );
}

function describe(error: unknown): string {
  if (error instanceof errors.JWTExpired) return "The token has expired";
  if (error instanceof errors.JWTClaimValidationFailed) {
    return `The claim ${error.claim} of the token is missing or not valid`;
  }
  return "The signature of the token is not valid";
}
