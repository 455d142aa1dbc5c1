const encoder = new TextEncoder();

export function bytesOf(text: string): number {
  return encoder.encode(text).length;
}

/** Bytes for people: `412 kB`. */
export function showBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Milliseconds for people: `240 ms`, `1.4 s`. */
export function showTime(milliseconds: number): string {
  return milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** `1 file`, `2 files`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
