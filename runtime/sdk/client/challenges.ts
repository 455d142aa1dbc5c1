/** The parameters of a challenge (`WWW-Authenticate`) that clients act on. */
export interface Challenge {
  readonly resourceMetadataUrl?: URL | undefined;
  readonly scope?: string | undefined;
  readonly error?: string | undefined;
  readonly errorDescription?: string | undefined;
}

/**
 * Returns the parameters of a response's challenge. They are empty if the challenge is not for bearer or DPoP tokens.
 */
export function challengeOf(response: Response): Challenge {
  const challenge = response.headers.get("WWW-Authenticate") ?? "";
  if (!/^\s*(?:bearer|dpop)\b/i.test(challenge)) return {};
  const value = (name: string): string | undefined => {
    const [, quoted, plain] =
      new RegExp(`\\b${name}=(?:"([^"]*)"|([^\\s,"]+))`, "i").exec(challenge) ?? [];
    return quoted ?? plain;
  };
  const place = value("resource_metadata");
  return {
    resourceMetadataUrl: place !== undefined && URL.canParse(place) ? new URL(place) : undefined,
    scope: value("scope"),
    error: value("error"),
    errorDescription: value("error_description"),
  };
}
