/** Largest schema that is read, in bytes; the official ones are below 150 KiB. */
export const MAX_BYTES = 4 * 1024 * 1024;
