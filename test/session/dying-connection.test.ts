import { expect, it } from "vitest";
import { ConnectionClosedError } from "../../runtime/wire/errors.js";
import { RawPeer } from "../engine/support/raw-peer.js";
import { TinyClient } from "../engine/support/tiny-endpoints.js";

/** Answers `initialize`, and closes when the client sends `initialized`. */
class Dying extends RawPeer {
  readonly #error: Error | undefined;

  constructor(error?: Error) {
    super();
    this.#error = error;
  }

  override send(...message: Parameters<RawPeer["send"]>): undefined {
    super.send(...message);
    const { id, method } = this.received.at(-1);
    const serverInfo = { name: "dying" };
    if (method === "initialize") {
      this.answer(id, { protocolVersion: "one", capabilities: {}, serverInfo });
    } else if (method === "notifications/initialized") {
      this.receiver.closed(this.#error);
    }
  }
}

it("a connection that ends while it opens is reported as never opened (LIFE-04)", async () => {
  const error = new ConnectionClosedError("The server has ended the session");
  const client = new TinyClient();
  await expect(client.connect(new Dying(error))).rejects.toBe(error);
  expect(await client.closed).toBe(error);
});

it("a connection that closes in order while it opens is reported as never opened (LIFE-04)", async () => {
  const client = new TinyClient();
  await expect(client.connect(new Dying())).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
});
