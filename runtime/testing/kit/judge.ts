import { concludeFindings, type DoctorFinding } from "../doctor/findings.js";
import type { TestClient } from "./test-client.js";

/**
 * Findings in what the server of a test client has sent so far: errors and warnings, by the checks of the doctor.
 *
 * @example
 * ```ts
 * await using client = await testClient(createServer());
 * expect(judge(client)).toEqual([]);
 * ```
 *
 * @param options - `from: "client"` judges the client instead; `hints` adds advice that no specification states
 */
export function judge(
  { lines }: Pick<TestClient, "lines">,
  options: { readonly from?: "client" | "server"; readonly hints?: boolean } = {},
): readonly DoctorFinding[] {
  const { from = "server", hints = false } = options;
  return concludeFindings(lines, [], { from, hints });
}
