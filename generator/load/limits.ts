/** Maximum size of a schema, a facts file or a configuration, in bytes; the official schemas are below 150 KiB. */
export const MAX_BYTES = 4 * 1024 * 1024;
