import { expect, it } from "vitest";
import { readChunks } from "../../../runtime/http/client/responses.js";
import { closeAfter } from "./support/clients.js";
import { RawServer } from "./support/raw-server.js";

/** Starts a server whose body arrives after the header, in one piece together with its end. */
async function complete(): Promise<RawServer> {
  const server = await RawServer.start((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    setTimeout(() => {
      response.write("data: {}\n\n");
      response.end();
    }, 5);
  });
  return closeAfter(server);
}

it("aborting after the last chunk of a body ends the read at once (H26)", async () => {
  const server = await complete();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const { signal, abort } = controller();
    const response = await fetch(server.url, { method: "POST", body: "{}", signal });
    const reading = (async () => {
      for await (const chunk of readChunks(response, Infinity, signal)) {
        expect(chunk.byteLength).toBeGreaterThan(0);
        queueMicrotask(abort);
      }
    })();
    await expect(reading).rejects.toThrow("The connection broke");
  }
});

function controller(): { signal: AbortSignal; abort: () => void } {
  const made = new AbortController();
  return { signal: made.signal, abort: () => made.abort() };
}
