/** Limits on data that is read from a server, or from a file about it. */
export const LOCK_LIMITS = {
  /** Pages of one list. */
  pages: 1000,
  /** Entries of one list. */
  entries: 10_000,
  /** Characters of one definition as JSON. */
  definition: 1024 * 1024,
  /** Characters of all definitions of a server together. */
  server: 16 * 1024 * 1024,
  /** Characters of a name or a URI. */
  name: 2000,
  /** Bytes of a lock file or a manifest. */
  file: 64 * 1024 * 1024,
} as const;
