/** Log levels, least severe first (the reverse of RFC 5424). */
export const LOG_LEVELS = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Position in {@link LOG_LEVELS}; -1 for what is no level. */
export function severityOf(level: unknown): number {
  return (LOG_LEVELS as readonly unknown[]).indexOf(level);
}
