import { Server, revision } from "@mcp-codegen/2026-07-28";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Resources, type SubscriptionOptions, UriTemplate } from "../../runtime/features/index.js";
import { RawClient } from "../stateless/server/support/raw-client.js";

const text = (uri: string) => ({ contents: [{ uri, text: "text" }] });

/** URIs that just fit into a message of 4 MiB, with the maximum number of segments. */
const LONG = Array.from({ length: 60 }, (_, index) => `test:///${index}${"/a".repeat(30_000)}`);
const SHORT = Array.from({ length: 2000 }, (_, index) => `test:///${index}${"/a".repeat(1000)}`);

/** The number of characters that a server reads for one subscription, plus one URI. */
const BUDGET = 262_144 + 65_536;

const settings: readonly (readonly [string, SubscriptionOptions<never>])[] = [
  ["by default", {}],
  ["with long URIs allowed", { maxUriLength: 65_536 }],
  ["with unknown resources allowed", { maxUriLength: 65_536, unknown: true }],
];

describe.each(settings)(
  "one subscription to very many and long URIs, %s",
  (_what, subscriptions) => {
    it.each([
      ["long", LONG],
      ["many", SHORT],
    ])("reads no more characters than its budget: %s", async (_kind, uris) => {
      const match = vi.spyOn(UriTemplate.prototype, "match");
      onTestFinished(() => match.mockRestore());
      const resources = new Resources({ subscriptions: subscriptions as object });
      resources.addTemplate({ uriTemplate: "test:///{+path}", name: "all" }, text);
      const server = new Server({ name: "test", version: "1" }, {}, { features: [resources] });
      const client = await RawClient.of(server, revision);
      match.mockClear();
      client.ask(1, "subscriptions/listen", { notifications: { resourceSubscriptions: uris } });
      const agreed = await client.notified("notifications/subscriptions/acknowledged");
      const { resourceSubscriptions = [] } = agreed.params.notifications;
      expect(resourceSubscriptions.length).toBeLessThan(uris.length);
      const characters = match.mock.calls.reduce((sum, [uri]) => sum + uri.length, 0);
      expect(characters).toBeLessThan(BUDGET);
      await server.close();
    });
  },
);
