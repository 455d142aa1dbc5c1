/** Content of a resource as bytes, and as text where it is one. */
export function contentsBytes({ text, blob }: { readonly text?: string; readonly blob?: string }): {
  readonly bytes: Uint8Array;
  readonly text: string | undefined;
} {
  if (text !== undefined) return { bytes: new TextEncoder().encode(text), text };
  const bytes = Uint8Array.from(atob(blob ?? ""), (character) => character.charCodeAt(0));
  return { bytes, text: decoded(bytes) };
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
