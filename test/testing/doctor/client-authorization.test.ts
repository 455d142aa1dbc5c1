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

/** Independent faults of a client's authorization: kind of conversation, and the only finding of each fault. */
const faults: readonly (readonly ["stateless" | "session", Readonly<Record<string, string>>])[] = [
  [
    "session",
    {
      "no-resource-for-code": "client-auth-resource /resource",
      "plain-method": "client-auth-pkce /code_challenge_method",
      "scope-missing": "client-auth-scope /scope",
      "redirect-insecure": "client-auth-registration /redirect_uris",
      "challenge-ignored": "client-auth-discovery",
      "token-in-one-request": "client-auth-token /http/headers/authorization",
    },
  ],
  [
    "session",
    {
      "no-resource-for-token": "client-auth-resource /resource",
      "verifier-missing": "client-auth-pkce /code_verifier",
      "any-methods": "client-auth-methods",
      "any-state": "client-auth-state",
      "any-resource": "client-auth-metadata",
      "registers-first": "client-auth-document",
      "root-only": "client-auth-discovery",
      "redirect-insecure-for-code": "client-auth-registration /redirect_uri",
      "scope-of-all": "client-auth-scope /scope",
    },
  ],
  [
    "session",
    {
      "other-resource": "client-auth-resource /resource",
      "plain-challenge": "client-auth-pkce /code_challenge_method",
      "oauth-only": "client-auth-discovery",
      "state-missing-in-code": "client-auth-state /state",
      "document-without-path": "client-auth-document /client_id",
      "supported-scopes-ignored": "client-auth-scope /scope",
      "never-steps-up": "client-auth-step-up",
    },
  ],
  ["session", { "openid-only": "client-auth-discovery" }],
  [
    "session",
    { "openid-first": "client-auth-discovery", "state-again": "client-auth-state /state" },
  ],
  ["session", { "codes-without-end": "client-auth-attempts" }],
  [
    "stateless",
    {
      "no-resource-for-token": "client-auth-resource /resource",
      "verifier-other": "client-auth-pkce /code_verifier",
      "any-methods": "client-auth-methods",
      "any-issuer": "client-auth-issuer",
      "root-only": "client-auth-discovery",
    },
  ],
  [
    "stateless",
    {
      "no-resource-to-refresh": "client-auth-resource /resource",
      "any-iss": "client-auth-issuer",
      "type-missing": "client-auth-registration /application_type",
      "grants-missing": "client-auth-grant /grant_types",
      "token-in-one-request": "client-auth-token /http/headers/authorization",
    },
  ],
  [
    "stateless",
    { "normalizes-iss": "client-auth-issuer", "scopes-forgotten": "client-auth-scope /scope" },
  ],
  [
    "stateless",
    { "missing-iss": "client-auth-issuer", "credentials-kept": "client-auth-credentials" },
  ],
  ["stateless", { "error-of-other-issuer": "client-auth-issuer" }],
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
    staying: [],
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
    ["authorizes-anew+scopes-forgotten", "session"],
    ["authorizes-by-document", "stateless"],
    ["error-of-other-issuer+credentials-kept+type-missing+grants-missing+any-issuer", "session"],
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

  it.each(
    faults.map(([era, findings]) => [Object.keys(findings).join("+"), era, findings] as const),
  )("finds %s of a %s client, and nothing else", async (names, era, findings) => {
    const { found } = await examineAuthorization([file, era, names], VERSIONS[era]);
    expect(found.toSorted()).toEqual(Object.values(findings).toSorted());
  });
});
