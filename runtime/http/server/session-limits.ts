import { DEFAULTS, type HttpHandlerOptions } from "./options.js";

export interface SessionLimits {
  readonly maxSessions: number;
  readonly maxSessionsPerPrincipal: number;
  /** Milliseconds without use. */
  readonly sessionTtl: number;
}

/** The limits that were given, or else the defaults. */
export function sessionLimits(options: HttpHandlerOptions): SessionLimits {
  return {
    maxSessions: options.maxSessions ?? DEFAULTS.maxSessions,
    maxSessionsPerPrincipal: options.maxSessionsPerPrincipal ?? DEFAULTS.maxSessionsPerPrincipal,
    sessionTtl: options.sessionTtl ?? DEFAULTS.sessionTtl,
  };
}
