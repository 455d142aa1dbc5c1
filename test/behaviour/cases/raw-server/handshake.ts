import { expect } from "vitest";
import type { Case, RawServerScene } from "../../case.js";
import { initializeResult } from "../../support/raw-server-result.js";

/** A client's reactions to the way in which a server opens a session. */
export const handshakeCases: readonly Case<RawServerScene>[] = [
  {
    name: "opens with initialize and continues after its response (LIFE-01, LIFE-02, LIFE-04, LIFE-07)",
    run: async ({ begin, from }) => {
      const { raw, connecting, client } = await begin();
      const { id, params } = await raw.nextOf("initialize");
      expect(params.protocolVersion).toBe(from.revision.id);
      expect(params.clientInfo).toEqual({ name: "client", version: "1.0.0" });
      expect(raw.rest).toEqual([]);
      raw.answer(id, initializeResult(from, { instructions: "Be nice.", more: 1 }));
      await connecting;
      expect(await raw.nextOf("notifications/initialized")).not.toHaveProperty("id");
      expect(client.server).toMatchObject({ info: { name: "raw" }, instructions: "Be nice." });
    },
  },
  {
    name: "disconnects from a server that chooses an unknown revision (LIFE-09, GAP-09)",
    run: async ({ begin, from }) => {
      const { raw, connecting, client } = await begin();
      const { id } = await raw.nextOf("initialize");
      raw.answer(id, initializeResult(from, { protocolVersion: "1999-12-31" }));
      await expect(connecting).rejects.toMatchObject({
        code: "UNSUPPORTED_REVISION",
        received: "1999-12-31",
      });
      expect(raw.received.map(({ method }) => method)).toEqual(["initialize"]);
      await expect(client.ping()).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    },
  },
  {
    name: "does not connect if initialize fails or its result is invalid (LIFE-03, LIFE-10)",
    run: async ({ begin, from }) => {
      const refused = await begin();
      const error = {
        code: -32602,
        message: "Unsupported protocol version",
        data: { supported: [] },
      };
      refused.raw.refuse((await refused.raw.nextOf("initialize")).id, error);
      await expect(refused.connecting).rejects.toMatchObject({ name: "RpcError", ...error });
      const wrong = await begin();
      const result = initializeResult(from, { serverInfo: "raw" });
      wrong.raw.answer((await wrong.raw.nextOf("initialize")).id, result);
      await expect(wrong.connecting).rejects.toMatchObject({ code: "INVALID_MESSAGE" });
    },
  },
  {
    name: "stops waiting without cancelling if initialize is not answered (LIFE-13, CANC-03)",
    run: async ({ begin }) => {
      const { raw, connecting } = await begin({ options: { timeout: 700 } });
      await raw.nextOf("initialize");
      await expect(connecting).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
      expect(raw.rest).toEqual([]);
    },
  },
  {
    name: "sends no undeclared request (LIFE-11, LIFE-12)",
    run: async ({ connect }) => {
      const { client, raw } = await connect({}, { capabilities: { tools: {} } });
      await expect(client.listPrompts()).rejects.toMatchObject({ code: "CAPABILITY" });
      await expect(client.subscribe({ uri: "a:b" })).rejects.toMatchObject({ code: "CAPABILITY" });
      expect(raw.rest).toEqual([]);
      const listing = client.listTools();
      raw.answer((await raw.nextOf("tools/list")).id, { tools: [] });
      expect(await listing).toEqual({ tools: [] });
    },
  },
  {
    name: "disconnects from a server that stops responding to pings (PING-02, PING-03)",
    run: async ({ connect }) => {
      const keepAlive = { interval: 20, timeout: 100 };
      const { client, raw } = await connect({ options: { keepAlive } });
      const first = await raw.nextOf("ping");
      raw.answer(first.id, {});
      await raw.nextOf("ping");
      expect(await client.closed).toMatchObject({ message: expect.stringContaining("ping") });
    },
  },
  {
    name: "stops connecting when the caller aborts, without a cancellation (LIFE-13, LIFE-18)",
    run: async ({ begin }) => {
      const closed = await begin();
      await closed.raw.nextOf("initialize");
      await closed.client.close();
      await expect(closed.connecting).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
      const controller = new AbortController();
      const aborted = await begin({ signal: controller.signal });
      await aborted.raw.nextOf("initialize");
      controller.abort(new Error("never mind"));
      await expect(aborted.connecting).rejects.toThrow("never mind");
      expect([...closed.raw.rest, ...aborted.raw.rest]).toEqual([]);
    },
  },
];
