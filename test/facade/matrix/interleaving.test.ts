import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { REVISIONS } from "./support/cases.js";
import { hosts } from "./support/host.js";
import { AGREEABLE, type Answers, Speaker } from "./support/speaker.js";

const NEWEST = "2026-07-28";

const { of, start } = hosts();

const answersOf = (name: string): Answers => ({
  ...AGREEABLE,
  "elicitation/create": () => ({ action: "accept", content: { name } }),
});

/** Returns the messages that the tools are expected to send to a client, in order. */
function expected(name: string, revision: string, user = name): string[] {
  const all = `ordered ${user} Paris (m) file:///work`;
  return [` ${name} ${revision}`, user, all, ` ${name} ${revision}`, all];
}

describe("one pipe (MATRIX-08)", () => {
  test.each(REVISIONS.slice(0, -1))(
    "carries a session of %s and stateless requests (T26, ERA-22)",
    async (revision) => {
      const host = await start();
      const guests = await Promise.all(
        ["a", "b"].map((name) =>
          Speaker.over(host.link("stdio"), NEWEST, {
            name,
            isGuest: true,
            answers: answersOf(name),
          }),
        ),
      );
      expect(await guests[0]!.text("who")).toBe(` a ${NEWEST}`);
      const session = await Speaker.over(host.link("stdio"), revision, {
        name: "session",
        answers: answersOf("session"),
      });
      const speakers = [session, ...guests];
      const asks = speakers.flatMap((speaker) =>
        ["who", "ask", "sequence", "who", "parallel"].map((tool) => speaker.text(tool)),
      );
      const texts = await Promise.all(asks);
      expect(texts).toEqual([
        ...expected("session", revision, revision < "2025-06" ? "Nobody" : "session"),
        ...expected("a", NEWEST),
        ...expected("b", NEWEST),
      ]);
      for (const speaker of speakers) expect(speaker.violations).toEqual([]);
      expect(guests.map(({ rounds }) => rounds)).toEqual([5, 5]);
    },
  );
});

describe("one URL (MATRIX-08)", () => {
  test("sends each of several senders at all revisions its own messages (T26)", async () => {
    const host = await of(NEWEST, "http");
    const revisions = REVISIONS.slice(1);
    const speakers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        Speaker.over(host.link("http", `p${index % 3}`), revisions[index % revisions.length]!, {
          name: `c${index}`,
          answers: answersOf(`user${index}`),
        }),
      ),
    );
    const results = await Promise.all(
      speakers.map((speaker) =>
        Promise.all(
          [1, 2, 3].map(async () => [await speaker.text("who"), await speaker.text("ask")]),
        ),
      ),
    );
    for (const [index, all] of results.entries()) {
      const { revision } = speakers[index]!;
      const user = revision < "2025-06" ? "Nobody" : `user${index}`;
      const own = [`p${index % 3} c${index} ${revision}`, user];
      expect(all).toEqual([own, own, own]);
      expect(speakers[index]!.violations).toEqual([]);
    }
  });

  test("keeps equal ids and tokens apart (T22, T26)", async () => {
    const host = await of(NEWEST, "http");
    for (const revision of ["2025-06-18", NEWEST]) {
      const twins = await Promise.all(
        ["Ada", "Bob"].map((name) =>
          Speaker.over(host.link("http"), revision, { name: "twin", answers: answersOf(name) }),
        ),
      );
      const meta = { _meta: { progressToken: "twin-token" } };
      await Promise.all(
        twins.flatMap((twin) => [
          twin.call("tools/call", { name: "steps", arguments: {}, ...meta }),
          twin.text("ask"),
        ]),
      );
      const requested = await Promise.all(twins.map((twin) => twin.text("ask")));
      expect(requested).toEqual(["Ada", "Bob"]);
      for (const { notes, violations } of twins) {
        expect(notes.map(({ message }) => message.params.progress)).toEqual([1, 2]);
        expect(violations).toEqual([]);
      }
    }
  });

  test("reserves a session for the sender that opened it (T10)", async () => {
    const host = await of(NEWEST, "http");
    const fields = {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    };
    const post = (body: object, more: object) =>
      fetch(host.url, {
        method: "POST",
        headers: { ...fields, ...more },
        body: JSON.stringify({ jsonrpc: "2.0", ...body }),
      });
    const clientInfo = { name: "ada", version: "1" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    const ada = { Authorization: "Bearer ada" };
    const opened = await post({ id: 1, method: "initialize", params }, ada);
    await opened.text();
    const session = { "Mcp-Session-Id": opened.headers.get("mcp-session-id")! };
    const ping = { id: 2, method: "ping" };
    const statuses: number[] = [];
    for (const who of [{}, { Authorization: "Bearer bob" }, ada]) {
      const response = await post(ping, { ...session, ...who });
      await response.text();
      statuses.push(response.status);
    }
    expect(statuses).toEqual([404, 404, 200]);
  });
});

test("a process exits when its pipe closes, whatever is still pending (T26)", async () => {
  const host = await start();
  const session = await Speaker.over(host.link("stdio"), "2025-11-25", { name: "session" });
  const guest = await Speaker.over(host.link("stdio"), NEWEST, { name: "guest", isGuest: true });
  await guest.ask("subscriptions/listen", { notifications: { toolsListChanged: true } });
  await guest.until(({ message }) => message.method?.endsWith("acknowledged"));
  for (const speaker of [session, guest]) {
    await speaker.ask("tools/call", { name: "wait", arguments: { label: "open" } });
  }
  await expect.poll(() => guest.text("witness", { label: "open" })).toBe("started,started");
  const gone = once(host.process, "exit");
  host.process.stdin!.end();
  expect(await gone).toEqual([0, null]);
});
