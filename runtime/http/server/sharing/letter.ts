import { type Auth, isObject } from "../../../wire/index.js";

/** News of a session from another instance. */
export type Letter = { readonly session: string } &
  /** A message for a session of HTTP+SSE there. */
  (
    | { readonly kind: "relayed"; readonly message: unknown; readonly auth?: Auth | undefined }
    | { readonly kind: "message"; readonly message: unknown }
    /** Its lasting messages have changed. */
    | { readonly kind: "changed" }
    | { readonly kind: "ended" }
    /** Its client listens there now; the higher number is right. */
    | { readonly kind: "listening"; readonly number: number }
    /** Its client reads a stream there that is written here. */
    | { readonly kind: "taken"; readonly stream: string }
  );

/** @returns undefined for what is no letter of this version */
export function readLetter(text: string): Letter | undefined {
  try {
    const letter: unknown = JSON.parse(text);
    return isObject(letter) && typeof letter["session"] === "string"
      ? (letter as Letter)
      : undefined;
  } catch {
    return undefined;
  }
}
