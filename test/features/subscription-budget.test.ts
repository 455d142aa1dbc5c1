import { Server, revision } from "@mcp-codegen/2026-07-28";
import { describe, expect, it, vi } from "vitest";
import { Resources, type SubscriptionOptions, UriTemplate } from "../../runtime/features/index.js";
import { RawClient } from "../stateless/server/support/raw-client.js";

const text = (uri: string) => ({ contents: [{ uri, text: "text" }] });

/** URIs that just fit into a message of 4 MiB, with as many segments as they can have. */
const LONG = Array.from({ length: 60 }, (_, index) => `test:///${index}${"/a".repeat(30_000)}`);
const SHORT = Array.from({ length: 2000 }, (_, index) => `test:///${index}${"/a".repeat(1000)}`);

/** Characters that are looked at for one subscription, and one URI more. */
const BUDGET = 262_144 + 65_536;

/** Longest time for which other requests may have to wait, in milliseconds. Without a budget it was over a second. */
const LONGEST_PAUSE = 400;

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
    ])("does not block all other requests: %s", async (_kind, uris) => {
      const match = vi.spyOn(UriTemplate.prototype, "match");
      try {
        let shortest = Infinity;
        for (let attempt = 0; attempt < 3 && shortest > LONGEST_PAUSE; attempt++) {
          const resources = new Resources({ subscriptions: subscriptions as object });
          resources.addTemplate({ uriTemplate: "test:///{+path}", name: "all" }, text);
          const info = { name: "test", version: "1" };
          const server = new Server(info, {}, { features: [resources] });
          const client = await RawClient.of(server, revision);
          match.mockClear();
          const started = performance.now();
          client.ask(1, "subscriptions/listen", {
            notifications: { resourceSubscriptions: uris },
          });
          await new Promise((resolve) => setTimeout(resolve));
          shortest = Math.min(shortest, performance.now() - started);
          const agreed = await client.notified("notifications/subscriptions/acknowledged");
          const { resourceSubscriptions = [] } = agreed.params.notifications;
          expect(resourceSubscriptions.length).toBeLessThan(uris.length);
          const lookedAt = match.mock.calls.reduce((sum, [uri]) => sum + uri.length, 0);
          expect(lookedAt).toBeLessThan(BUDGET);
          await server.close();
        }
        expect(shortest).toBeLessThan(LONGEST_PAUSE);
      } finally {
        match.mockRestore();
      }
    });
  },
);
