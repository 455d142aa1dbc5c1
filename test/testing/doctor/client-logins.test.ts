import { join } from "node:path";
import { examineClient } from "@mcp-codegen/testing/doctor";
import { describe, expect, it } from "vitest";

const file = join(import.meta.dirname, "clients/full.mjs");

/** Faults of the login of a client: name, kind of conversation, and the only finding. */
const faults: readonly (readonly [string, "stateless" | "session", string])[] = [
  ["challenge-ignored", "session", "client-discovery"],
  ["path-ignored", "stateless", "client-discovery"],
  ["only-oauth", "session", "client-discovery"],
  ["pkce-plain", "session", "client-pkce /code_challenge_method"],
  ["pkce-unproven", "stateless", "client-pkce /code_verifier"],
  ["pkce-unsupported", "session", "client-pkce"],
  ["resource-unnamed", "session", "client-resource /resource"],
  ["token-resource-unnamed", "stateless", "client-resource /resource"],
  ["redirect-insecure", "session", "client-registration /redirect_uris"],
  ["application-untyped", "stateless", "client-registration /application_type"],
  ["stateless", "session", "client-state /state"],
  ["scope-of-all", "session", "client-scope /scope"],
  ["issuer-unchecked", "stateless", "client-issuer"],
  ["response-unchecked", "stateless", "client-issuer"],
  ["token-once", "stateless", "client-token-query /http/headers/authorization"],
];

const options = { concurrent: true, timeout: 90_000 };

describe("doctor of clients that log in", options, () => {
  it.each([...faults, ["logs-in", "session", ""], ["logs-in", "stateless", ""]] as const)(
    "finds %s of a %s client, and nothing else",
    async (fault, era, found) => {
      const command = [process.execPath, file, era, fault, "{url}"];
      const { findings } = await examineClient({ command }, { timeout: 3_000 });
      const named = findings.map(({ id, pointer }) => `${id} ${pointer}`.trim());
      expect(named).toEqual(found ? [found] : []);
    },
  );
});
