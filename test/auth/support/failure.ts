import { expect } from "vitest";
import { OAuthError } from "@mcp-codegen/auth/client";

/** Returns the error of a connection or call that must fail. */
export async function failure(connecting: Promise<unknown>): Promise<OAuthError> {
  const error: unknown = await connecting.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OAuthError);
  return error as OAuthError;
}
