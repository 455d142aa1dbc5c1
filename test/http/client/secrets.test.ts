import { expect, it } from "vitest";
import { fixture } from "./support/clients.js";

it.each([
  { authorization: "Bearer top\nsecret" },
  () => ({ authorization: "Bearer top\nsecret" }),
  [["secret\n", "top"]] as const,
])("an invalid header value is rejected without being shown", async (headers) => {
  const { client, transport } = fixture({ url: "http://127.0.0.1:9/mcp" }, { headers });
  const error: Error = await client.connect(transport).then(
    () => new Error("connected"),
    (failure: Error) => failure,
  );
  expect(error.message).toContain(`"headers"`);
  expect(`${error.stack} ${String(error.cause)}`).not.toContain("secret");
});
