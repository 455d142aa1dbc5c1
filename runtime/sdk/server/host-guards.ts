/** The result of validating a `Host` header. */
export type HostHeaderValidationResult =
  | { ok: true; hostname: string }
  | {
      ok: false;
      errorCode: "missing_host" | "invalid_host_header" | "invalid_host";
      message: string;
      hostHeader?: string;
      hostname?: string;
    };

/** The result of validating an `Origin` header. */
export type OriginValidationResult =
  | { ok: true; origin?: string; hostname?: string }
  | {
      ok: false;
      errorCode: "invalid_origin_header" | "invalid_origin";
      message: string;
      originHeader?: string;
      hostname?: string;
    };

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Returns the host names that a server on this machine may have. */
export function localhostAllowedHostnames(): string[] {
  return [...LOOPBACK];
}

/** Returns the host names that pages on this machine may have. */
export function localhostAllowedOrigins(): string[] {
  return [...LOOPBACK];
}

/** Validates a `Host` header, ignoring the port. */
export function validateHostHeader(
  hostHeader: string | null | undefined,
  allowedHostnames: string[],
): HostHeaderValidationResult {
  if (!hostHeader) return { ok: false, errorCode: "missing_host", message: "Missing Host header" };
  const hostname = /[/@?#\\\s]/.test(hostHeader) ? "" : hostnameOf(`http://${hostHeader}`);
  if (hostname === "") {
    const message = `Invalid Host header: ${hostHeader}`;
    return { ok: false, errorCode: "invalid_host_header", message, hostHeader };
  }
  if (allowedHostnames.includes(hostname)) return { ok: true, hostname };
  const message = `Invalid Host: ${hostname}`;
  return { ok: false, errorCode: "invalid_host", message, hostHeader, hostname };
}

/**
 * Validates an `Origin` header, ignoring the scheme and port. A request without the header is accepted, because it does
 * not come from a page.
 */
export function validateOriginHeader(
  originHeader: string | null | undefined,
  allowedOriginHostnames: string[],
): OriginValidationResult {
  if (!originHeader) return { ok: true };
  const hostname = hostnameOf(originHeader);
  if (hostname === "") {
    const message = `Invalid Origin header: ${originHeader}`;
    return { ok: false, errorCode: "invalid_origin_header", message, originHeader };
  }
  if (allowedOriginHostnames.includes(hostname)) {
    return { ok: true, origin: originHeader, hostname };
  }
  const message = `Invalid Origin: ${hostname}`;
  return { ok: false, errorCode: "invalid_origin", message, originHeader, hostname };
}

/** Returns the response that rejects a request for a disallowed host, or undefined if the request may proceed. */
export function hostHeaderValidationResponse(
  request: Request,
  allowedHostnames: string[],
): Response | undefined {
  return refused(validateHostHeader(request.headers.get("host"), allowedHostnames));
}

/**
 * Returns the response that rejects a request from a page on a disallowed host, or undefined if the request may
 * proceed.
 */
export function originValidationResponse(
  request: Request,
  allowedOriginHostnames: string[],
): Response | undefined {
  return refused(validateOriginHeader(request.headers.get("origin"), allowedOriginHostnames));
}

export function guardRefusal(message: string): object {
  return { jsonrpc: "2.0", error: { code: -32000, message }, id: null };
}

function refused(
  result: HostHeaderValidationResult | OriginValidationResult,
): Response | undefined {
  return result.ok ? undefined : Response.json(guardRefusal(result.message), { status: 403 });
}

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : "";
}
