/** The maximum size, in bytes, of a schema, a facts file or a configuration. The official schemas are below 150 KiB. */
export const MAX_BYTES = 4 * 1024 * 1024;
