import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { type LiveServer, serveLive } from "../../../runtime/testing/show/serve-live.js";
import { cli, start } from "../../cli/cli.js";
import { startBrowser, whyNoBrowser } from "./chromium.js";
import { opening, session, tapeOf } from "./tapes.js";

const folder = mkdtempSync(join(tmpdir(), "show-live-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "a.tape.jsonl");
const lines = tapeOf(session).split("\n").slice(0, -1);

let server: LiveServer | undefined;
afterEach(() => server?.close());

async function serve(): Promise<URL> {
  writeFileSync(file, tapeOf(opening));
  server = await serveLive(file, "<!-- tape --> connect-src 'none'");
  return new URL(server.url);
}

/**
 * Returns the status and body of a request to the server. `body` is a function, so that the body of a tape need not be
 * awaited.
 */
async function ask(url: URL, headers: Record<string, string> = {}, method = "GET") {
  return new Promise<{ status: number | undefined; body: () => Promise<string> }>(
    (resolve, reject) => {
      const sent = request(url, { method, headers }, (response) =>
        resolve({ status: response.statusCode, body: () => text(response) }),
      );
      sent.on("error", reject).end();
    },
  );
}

describe("the server of a page that follows a tape", () => {
  it("reads the tape with the token of its address only", async () => {
    const url = await serve();
    const token = url.hash.slice(1);
    const tape = new URL("/tape", url);
    expect((await ask(tape)).status).toBe(401);
    expect((await ask(tape, { authorization: "Bearer x" })).status).toBe(401);
    expect((await ask(tape, { authorization: `Bearer ${token}` })).status).toBe(200);
    expect(token.length).toBeGreaterThanOrEqual(32);
  });

  it("refuses another Host, another Origin, other methods and other paths", async () => {
    const url = await serve();
    const authorization = `Bearer ${url.hash.slice(1)}`;
    const tape = new URL("/tape", url);
    expect((await ask(tape, { authorization, host: "evil.example" })).status).toBe(403);
    expect((await ask(tape, { authorization, host: `localhost:${url.port}` })).status).toBe(403);
    expect((await ask(tape, { authorization, origin: "https://evil.example" })).status).toBe(403);
    expect((await ask(tape, { authorization, origin: url.origin })).status).toBe(200);
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      expect((await ask(tape, { authorization }, method)).status).toBe(405);
    }
    expect((await ask(new URL("/a.tape.jsonl", url), { authorization })).status).toBe(404);
  });

  it("serves a page that can connect to it, and contains no tape", async () => {
    const page = await (await ask(await serve())).body();
    expect(page).toBe(" connect-src 'self'");
  });

  it("sends what is added, and ends when the file is replaced by a shorter one", async () => {
    const url = await serve();
    const headers = { authorization: `Bearer ${url.hash.slice(1)}` };
    const response = await fetch(new URL("/tape", url), { headers });
    let received = "";
    const whole = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of response.body!) received += decoder.decode(chunk);
    })();
    await expect.poll(() => received).toBe(tapeOf(opening));
    appendFileSync(file, `${lines[4]}\n`);
    await expect.poll(() => received).toContain("Server started");
    writeFileSync(file, "");
    await whole;
  });
});

describe("show", () => {
  it.skipIf(whyNoBrowser)("--live shows messages as they are recorded", async () => {
    rmSync(file, { force: true });
    const running = start(["show", "a.tape.jsonl", "--live"], { cwd: folder });
    await expect.poll(() => running.stderr()).toContain("http://127.0.0.1:");
    const [url = ""] = /http:\S+(?=;)/.exec(running.stderr()) ?? [];
    const browser = await startBrowser();
    const page = await browser.page();
    const status = () => page.value(`document.querySelector(".status")?.textContent`);
    await page.open(url);
    await expect.poll(status).toBe("Waiting for the tape");
    writeFileSync(file, tapeOf(opening));
    await expect.poll(status).toBe("3 messages · recording");
    appendFileSync(file, `${lines.slice(4).join("\n")}\n`);
    await expect.poll(status).toBe("27 messages · recording");
    expect(page.messages).toEqual([]);
    expect(
      page.requests.every((one) => one.startsWith(new URL(url).origin) || one === "data:,"),
    ).toBe(true);
    await browser.close();
    running.signal("SIGINT");
    expect((await running.finished).code).toBe(0);
  });

  it("says what is wrong in one line", async () => {
    writeFileSync(join(folder, "other.txt"), "text\n");
    const problem = async (...args: string[]) => {
      const { code, stderr } = await cli(["show", ...args], { cwd: folder });
      return [code, stderr.split("\n")[0]];
    };
    expect(await problem("none.jsonl")).toEqual([
      3,
      expect.stringContaining("none.jsonl does not exist."),
    ]);
    expect(await problem("other.txt", "--out", "o.html")).toEqual([
      3,
      expect.stringContaining("other.txt is not a tape: its first line is not JSON."),
    ]);
    expect(await problem("a.tape.jsonl", "--out", "other.txt")).toEqual([
      3,
      expect.stringContaining("other.txt exists, and is not a page"),
    ]);
    expect(await problem("a.tape.jsonl", "--out", "no/o.html")).toEqual([
      3,
      expect.stringContaining("no/o.html cannot be written: the folder no does not exist."),
    ]);
    expect(await problem("--live")).toEqual([2, expect.stringContaining("--live needs a tape")]);
    expect(await problem("a.tape.jsonl")).toEqual([0, expect.stringContaining("a.html: 27 lines")]);
    expect(await problem("a.tape.jsonl")).toEqual([0, expect.stringContaining("a.html: 27 lines")]);
  });
});
