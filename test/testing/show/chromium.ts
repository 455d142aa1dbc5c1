import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

/** The path to Chromium: `CHROMIUM` or, by default, where Debian and Ubuntu install it. */
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** The reason why browser tests cannot run here; undefined if they can. */
export const whyNoBrowser: string | undefined = existsSync(CHROMIUM)
  ? undefined
  : `${CHROMIUM} is not installed`;

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--hide-scrollbars",
  "--remote-debugging-pipe",
];

type Members = Readonly<Record<string, unknown>>;

export interface Page {
  open(url: string): Promise<void>;
  /** Returns the value of an expression in the page. */
  value<Value>(expression: string): Promise<Value>;
  press(key: string): Promise<void>;
  type(text: string): Promise<void>;
  size(width: number, height: number): Promise<void>;
  scheme(scheme: "light" | "dark"): Promise<void>;
  screenshot(): Promise<Buffer>;
  /** Returns the seconds of CPU time that the page has used since it was opened, for scripts, layout and style. */
  seconds(): Promise<number>;
  /** The console messages and exceptions. */
  readonly messages: string[];
  /** The URLs that were requested. */
  readonly requests: string[];
}

export interface Browser {
  page(): Promise<Page>;
  close(): Promise<void>;
}

/** Starts Chromium, which is controlled through two pipes. */
export async function startBrowser(): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), "mcp-codegen-chromium-"));
  const child = spawn(CHROMIUM, [...FLAGS, `--user-data-dir=${profile}`, "about:blank"], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    detached: true,
  });
  const send = commands(child);
  return {
    async page() {
      const { targetId } = await send("Target.createTarget", { url: "about:blank" });
      const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
      return pageOf(send, sessionId as string);
    },
    async close() {
      const ended = once(child, "exit");
      // Its other processes, which write to the profile, belong to the same group.
      process.kill(-child.pid!, "SIGKILL");
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

interface Send {
  (method: string, params?: Members, sessionId?: string): Promise<Members>;
  readonly events: EventEmitter;
}

/** Returns a function that sends commands of the DevTools protocol: JSON, with a null character after each message. */
function commands(child: ChildProcess): Send {
  const [, , , output, input] = child.stdio as unknown as [null, null, null, Writable, Readable];
  const waiting = new Map<
    number,
    { resolve: (value: Members) => void; reject: (error: Error) => void }
  >();
  const events = new EventEmitter();
  let last = 0;
  let rest = "";
  input.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\0");
    rest = parts.pop()!;
    for (const part of parts) {
      const { id, result, error, method, params, sessionId } = JSON.parse(part);
      if (id === undefined) events.emit(`${sessionId} ${method}`, params);
      else if (error) waiting.get(id)?.reject(new Error(error.message));
      else waiting.get(id)?.resolve(result);
    }
  });
  const send = (method: string, params: Members = {}, sessionId?: string): Promise<Members> => {
    const id = ++last;
    output.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  };
  return Object.assign(send, { events });
}

async function pageOf(send: Send, session: string): Promise<Page> {
  const call = (method: string, params?: Members) => send(method, params, session);
  const on = (event: string, listener: (params: never) => void) =>
    send.events.on(`${session} ${event}`, listener as (params: unknown) => void);
  const messages: string[] = [];
  const requests: string[] = [];
  await Promise.all(
    ["Page", "Runtime", "Log", "Network"].map((domain) => call(`${domain}.enable`)),
  );
  await call("Performance.enable", { timeDomain: "threadTicks" });
  on("Runtime.consoleAPICalled", ({ args }: { args: { value?: unknown }[] }) => {
    messages.push(args.map(({ value }) => String(value)).join(" "));
  });
  on(
    "Runtime.exceptionThrown",
    ({
      exceptionDetails,
    }: {
      exceptionDetails: { text: string; exception?: { description?: string } };
    }) => {
      messages.push(exceptionDetails.exception?.description ?? exceptionDetails.text);
    },
  );
  on("Log.entryAdded", ({ entry }: { entry: { text: string } }) => messages.push(entry.text));
  on("Network.requestWillBeSent", ({ request }: { request: { url: string } }) => {
    requests.push(request.url);
  });
  return {
    messages,
    requests,
    async open(url) {
      const loaded = once(send.events, `${session} Page.loadEventFired`);
      await call("Page.navigate", { url });
      await loaded;
    },
    async value<Value>(expression: string) {
      const { result, exceptionDetails } = (await call("Runtime.evaluate", {
        expression,
        returnByValue: true,
        awaitPromise: true,
      })) as {
        result: { value: Value };
        exceptionDetails?: { exception?: { description?: string } };
      };
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description);
      return result.value;
    },
    async press(key) {
      const text = key.length === 1 ? key : key === "Enter" ? "\r" : undefined;
      const windowsVirtualKeyCode = CODES[key];
      const code = { key, code: key, ...(windowsVirtualKeyCode && { windowsVirtualKeyCode }) };
      await call("Input.dispatchKeyEvent", {
        type: text ? "keyDown" : "rawKeyDown",
        ...code,
        ...(text && { text }),
      });
      await call("Input.dispatchKeyEvent", { type: "keyUp", ...code });
    },
    async type(text) {
      await call("Input.insertText", { text });
    },
    async size(width, height) {
      const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
      await call("Emulation.setDeviceMetricsOverride", metrics);
    },
    async scheme(scheme) {
      const features = [{ name: "prefers-color-scheme", value: scheme }];
      await call("Emulation.setEmulatedMedia", { features });
    },
    async screenshot() {
      const { data } = await call("Page.captureScreenshot", { format: "png" });
      return Buffer.from(data as string, "base64");
    },
    async seconds() {
      const { metrics } = (await call("Performance.getMetrics")) as {
        metrics: { name: string; value: number }[];
      };
      return metrics.find(({ name }) => name === "TaskDuration")!.value;
    },
  };
}

const CODES: Readonly<Record<string, number>> = {
  Enter: 13,
  Escape: 27,
  PageUp: 33,
  PageDown: 34,
  End: 35,
  Home: 36,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
  Tab: 9,
};
