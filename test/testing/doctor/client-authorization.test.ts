import { join } from "node:path";
import { examineClient } from "@mcp-codegen/testing/doctor";
import { revisions } from "@mcp-codegen/universal/revisions";
import { describe, expect, it } from "vitest";
import { authorization } from "../../../runtime/testing/doctor/client/authorization.js";
import type { Work } from "../../../runtime/testing/doctor/client/run.js";
import { concludeFindings } from "../../../runtime/testing/doctor/findings.js";
import { createRecorder } from "../../../runtime/testing/doctor/link/link.js";

const file = join(import.meta.dirname, "clients/full.mjs");
const real = join(import.meta.dirname, "clients/authorized.mjs");

/** Faults of a client's authorization: name, kind of conversation, and the only finding. */
const faults: readonly (readonly [string, "stateless" | "session", string])[] = [
  ["no-resource-for-code", "session", "client-auth-resource /resource"],
  ["no-resource-for-token", "session", "client-auth-resource /resource"],
  ["no-resource-for-token", "stateless", "client-auth-resource /resource"],
  ["no-resource-to-refresh", "stateless", "client-auth-resource /resource"],
  ["other-resource", "session", "client-auth-resource /resource"],
  ["any-resource", "session", "client-auth-metadata"],
  ["challenge-ignored", "session", "client-auth-discovery"],
  ["root-only", "session", "client-auth-discovery"],
  ["root-only", "stateless", "client-auth-discovery"],
  ["oauth-only", "session", "client-auth-discovery"],
  ["openid-only", "session", "client-auth-discovery"],
  ["openid-first", "session", "client-auth-discovery"],
  ["plain-challenge", "session", "client-auth-pkce /code_challenge_method"],
  ["plain-method", "session", "client-auth-pkce /code_challenge_method"],
  ["verifier-missing", "session", "client-auth-pkce /code_verifier"],
  ["verifier-other", "stateless", "client-auth-pkce /code_verifier"],
  ["any-methods", "session", "client-auth-methods"],
  ["any-methods", "stateless", "client-auth-methods"],
  ["any-issuer", "stateless", "client-auth-issuer"],
  ["any-iss", "stateless", "client-auth-issuer"],
  ["normalizes-iss", "stateless", "client-auth-issuer"],
  ["missing-iss", "stateless", "client-auth-issuer"],
  ["document-without-path", "session", "client-auth-document /client_id"],
  ["error-of-other-issuer", "stateless", "client-auth-issuer"],
  ["any-state", "session", "client-auth-state"],
  ["state-missing-in-code", "session", "client-auth-state /state"],
  ["state-again", "session", "client-auth-state /state"],
  ["scope-missing", "session", "client-auth-scope /scope"],
  ["scope-of-all", "session", "client-auth-scope /scope"],
  ["scopes-forgotten", "stateless", "client-auth-scope /scope"],
  ["grants-missing", "stateless", "client-auth-grant /grant_types"],
  ["supported-scopes-ignored", "session", "client-auth-scope /scope"],
  ["never-steps-up", "session", "client-auth-step-up"],
  ["type-missing", "stateless", "client-auth-registration /application_type"],
  ["redirect-insecure", "session", "client-auth-registration /redirect_uris"],
  ["redirect-insecure-for-code", "session", "client-auth-registration /redirect_uri"],
  ["registers-first", "session", "client-auth-document"],
  ["credentials-kept", "stateless", "client-auth-credentials"],
  ["codes-without-end", "session", "client-auth-attempts"],
  ["token-in-one-request", "session", "client-auth-token /http/headers/authorization"],
  ["token-in-one-request", "stateless", "client-auth-token /http/headers/authorization"],
];

const VERSIONS: Readonly<Record<string, string>> = {
  stateless: "2026-07-28",
  session: "2025-11-25",
};

/** Examines nothing but the authorization of a client. */
async function examineAuthorization(
  command: readonly string[],
  id: string | undefined,
): Promise<{ readonly found: readonly string[]; readonly made: ReadonlySet<string> }> {
  const work: Work = {
    target: { command: [process.execPath, ...command, "{url}"] },
    recorder: createRecorder(),
    timeout: 10_000,
    findings: [],
    made: new Set(),
    conversations: 0,
    slowest: 1_500,
  };
  const revision = revisions.find((one) => one.id === id)!;
  await authorization(work, revision);
  const how = { from: "client", hints: false } as const;
  const findings = concludeFindings(work.recorder.lines, work.findings, how);
  return {
    found: findings.map((one) => `${one.id} ${one.pointer}`.trim()),
    made: work.made,
  };
}

describe("doctor of clients that authorize", { concurrent: true, timeout: 120_000 }, () => {
  it.each(["stateless", "session"])("finds nothing in a correct %s client", async (era) => {
    const command = [process.execPath, file, era, "authorizes", "{url}"];
    const { findings, checks } = await examineClient({ command }, { timeout: 5_000 });
    expect(findings).toEqual([]);
    expect([...checks]).toEqual(expect.arrayContaining(["client-auth-pkce", "client-auth-state"]));
  });

  it.each([
    ["authorizes-anew", "session"],
    ["authorizes-by-document", "stateless"],
    ["error-of-other-issuer", "session"],
    ["credentials-kept", "session"],
    ["type-missing", "session"],
    ["grants-missing", "session"],
    ["any-issuer", "session"],
    ["scopes-forgotten", "session"],
  ])("finds nothing in %s of a %s client", async (fault, era) => {
    const { found } = await examineAuthorization([file, era, fault], VERSIONS[era]);
    expect(found).toEqual([]);
  });

  it.each([
    ["ours", "2026-07-28", []],
    ["v1", "2025-11-25", ["client-auth-methods", "client-auth-step-up"]],
    ["v2", "2026-07-28", ["client-auth-methods"]],
  ])("examines the authorization of a real client: %s at %s", async (which, id, expected) => {
    const { found, made } = await examineAuthorization([real, which], id);
    expect(found).toEqual(expected);
    expect([...made]).toEqual(expect.arrayContaining(["client-auth-pkce"]));
  });

  it.each(faults)("finds %s of a %s client, and nothing else", async (fault, era, expected) => {
    const { found } = await examineAuthorization([file, era, fault], VERSIONS[era]);
    expect(found).toEqual([expected]);
  });
});
