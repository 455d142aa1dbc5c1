/** A caller whose access token was checked. */
export interface AuthInfo {
  token: string;
  clientId: string;
  scopes: string[];
  /** Seconds since 1970 at which the token expires. */
  expiresAt?: number;
  /** Resource that the token was issued for (RFC 8707). */
  resource?: URL;
  /** URL of the metadata that tells clients where to get tokens (RFC 9728). */
  resourceMetadataUrl?: string;
  /** Anything that the verifier knows beside. */
  extra?: Record<string, unknown>;
}
