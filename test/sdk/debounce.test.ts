import { Client as OfficialClient } from "@modelcontextprotocol/client";
import {
  InMemoryTransport as OfficialTransport,
  Server as OfficialServer,
} from "@modelcontextprotocol/server";
import { Client } from "@mcp-codegen/sdk/client";
import { InMemoryTransport } from "@mcp-codegen/sdk/core";
import { Server } from "@mcp-codegen/sdk/server";
import { expect, it, onTestFinished } from "vitest";

const info = { name: "x", version: "1" };
const ROOTS = "notifications/roots/list_changed";
const TOOLS = "notifications/tools/list_changed";
const options = { debouncedNotificationMethods: [ROOTS, TOOLS] };

const kits = {
  ours: { Client, Server, InMemoryTransport },
  official: {
    Client: OfficialClient,
    Server: OfficialServer,
    InMemoryTransport: OfficialTransport,
  },
} as unknown as Record<
  string,
  { Client: typeof Client; Server: typeof Server; InMemoryTransport: typeof InMemoryTransport }
>;

it.each(Object.keys(kits))(
  "notifications without parameters are sent once per turn if an option says so: %s",
  async (name) => {
    const kit = kits[name]!;
    const client = new kit.Client(info, {
      ...options,
      capabilities: { roots: { listChanged: true } },
    });
    const server = new kit.Server(info, {
      ...options,
      capabilities: { tools: { listChanged: true } },
    });
    const counts = { roots: 0, tools: 0 };
    server.setNotificationHandler(ROOTS, () => void (counts.roots += 1));
    client.setNotificationHandler(TOOLS, () => void (counts.tools += 1));
    const [near, far] = kit.InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(far), client.connect(near)]);
    onTestFinished(() => client.close());
    for (let turn = 1; turn <= 2; turn++) {
      for (let call = 0; call < 3; call++) {
        void client.notification({ method: ROOTS });
        void server.notification({ method: TOOLS });
      }
      await expect.poll(() => counts).toEqual({ roots: turn, tools: turn });
    }
    void client.notification({ method: ROOTS, params: {} });
    void client.notification({ method: ROOTS, params: {} });
    await expect.poll(() => counts.roots).toBe(4);
  },
);
