import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { keychainStore } from "@mcp-codegen/auth/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { bundle } from "../support/bundle.js";
import { MCP, World } from "./support/world.js";

/** The fake keychain's entries, by service and account. */
const entries = new Map<string, string>();
/** The error that the next use of the keychain throws. */
let refusal: Error | undefined;

/**
 * Imitates `AsyncEntry` of `@napi-rs/keyring`. A missing entry is `null`, as since version 2; earlier versions returned
 * `undefined`.
 */
class FakeEntry {
  readonly #name: string;

  constructor(service: string, username: string) {
    this.#name = `${service} ${username}`;
  }

  async getPassword(): Promise<string | null> {
    this.#refuse();
    return entries.get(this.#name) ?? null;
  }

  async setPassword(password: string): Promise<void> {
    this.#refuse();
    entries.set(this.#name, password);
  }

  async deletePassword(): Promise<boolean> {
    this.#refuse();
    if (!entries.delete(this.#name)) throw new Error("No matching entry found in secure storage");
    return true;
  }

  #refuse(): void {
    if (refusal !== undefined) throw refusal;
  }
}

vi.mock("@napi-rs/keyring", () => ({ AsyncEntry: FakeEntry }));

/** Returns the error of an action that runs while the keychain refuses with the given text. */
async function errorOf(said: string, act: () => unknown): Promise<unknown> {
  refusal = new Error(`Platform failure: locked; ${said}`);
  return Promise.resolve(act()).then(
    () => undefined,
    (error: unknown) => error,
  );
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-keychain-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  entries.clear();
  refusal = undefined;
});

describe("the keychain store", () => {
  it("stores, replaces and deletes values under the name of its service", async () => {
    const store = await keychainStore({ service: "notes", folder });
    expect(await store.get("a")).toBeUndefined();
    await store.set("a", "one");
    await store.set("a", "two");
    expect(await (await keychainStore({ service: "notes", folder })).get("a")).toBe("two");
    expect(await (await keychainStore({ folder })).get("a")).toBeUndefined();
    expect([...entries]).toEqual([["notes a", "two"]]);
    await store.delete("a");
    await store.delete("a");
    expect(await store.get("a")).toBeUndefined();
  });

  it("shares the login with the next process, and logs out", async () => {
    const world = new World();
    await (await world.connect({ store: await keychainStore({ folder }) })).close();
    const store = await keychainStore({ folder });
    await (await world.connect({ store })).close();
    expect(world.server.visits).toHaveLength(1);
    expect([...entries.values()].join()).toContain("token-secret");
    expect(await world.oauth({ store }).logout(MCP)).toBe("revoked");
    expect([...entries.values()].join()).not.toContain("token-secret");
  });

  it("lets processes refresh in sequence, and writes no secret into the lock", async () => {
    const store = await keychainStore({ folder });
    const order: string[] = [];
    let written = "";
    const work = (name: string) => async () => {
      order.push(`${name} begins`);
      await store.set("tokens", "very-secret-token");
      const names = readdirSync(folder);
      written += names.map((one) => readFileSync(join(folder, one), "utf8")).join();
      order.push(`${name} ends`);
    };
    const other = await keychainStore({ folder });
    await Promise.all([store.exclusive!("k", work("a")), other.exclusive!("k", work("b"))]);
    expect(order[1]).toBe(order[0]!.replace("begins", "ends"));
    expect(written).toContain("pid");
    expect(written).not.toContain("secret");
  });

  it("quotes no token in an error (AUTH-49)", async () => {
    const world = new World();
    const store = await keychainStore({ folder });
    const long = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJlLW9mLXRlc3Q";
    const value = JSON.stringify({ accessToken: "short-one", refreshToken: long });
    const errors = [
      await errorOf(value, () => store.set("a", value)),
      await errorOf(long, () => store.get("a")),
      await errorOf(long, () => store.delete("a")),
      await errorOf(long, () => world.connect({ store })),
    ];
    for (const error of errors) {
      expect((error as Error).message).toMatch(/Platform failure: locked.*fileStore\(\)/);
      const printed = inspect(error, { depth: 9, showHidden: true });
      for (const part of ["short-one", ...long.split(".")]) expect(printed).not.toContain(part);
    }
  });
});

/** Tests the store in programs with the package and without it. */
describe("the keychain package", () => {
  let app: string;
  beforeAll(async () => {
    app = mkdtempSync(join(tmpdir(), "mcp-keychain-"));
    writeFileSync(join(app, "source.ts"), PROGRAM);
    await bundle(join(app, "source.ts"), join(app, "program.mjs"));
  });
  afterAll(() => rmSync(app, { recursive: true }));

  const run = (...args: string[]) => {
    const env = { ...process.env, XDG_STATE_HOME: app, HOME: app };
    const file = join(app, "program.mjs");
    return spawnSync(process.execPath, [file, ...args], { encoding: "utf8", env }).stdout;
  };

  it("is named if it is missing, and used by processes if it is installed", () => {
    expect(run()).toBe(
      "keychainStore() needs the package @napi-rs/keyring: install it, or use fileStore()\n",
    );
    const fake = join(app, "node_modules/@napi-rs/keyring");
    mkdirSync(fake, { recursive: true });
    writeFileSync(join(fake, "package.json"), `{ "name": "@napi-rs/keyring", "main": "index.js" }`);
    writeFileSync(join(fake, "index.js"), FAKE);
    expect(run()).toBe("undefined\n");
    expect(run("set")).toBe("kept\n");
    expect(run()).toBe("kept\n");
    expect(run("delete")).toBe("undefined\n");
    expect(readFileSync(join(fake, "entries.json"), "utf8")).toBe("{}");
  });
});

const PROGRAM = `import { keychainStore } from "@mcp-codegen/auth/node";
try {
  const store = await keychainStore();
  await store.exclusive("a", async () => {
    if (process.argv[2] === "set") await store.set("a", "kept");
    if (process.argv[2] === "delete") await store.delete("a");
  });
  console.log(await store.get("a"));
} catch (error) {
  console.log(error.message);
}
`;

/** A CommonJS module like the real one, which keeps its entries in a file. */
const FAKE = `const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const file = join(__dirname, "entries.json");
const read = () => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {});
class AsyncEntry {
  constructor(service, username) {
    this.name = service + " " + username;
  }
  async getPassword() {
    return read()[this.name];
  }
  async setPassword(password) {
    writeFileSync(file, JSON.stringify({ ...read(), [this.name]: password }));
  }
  async deletePassword() {
    const { [this.name]: _, ...rest } = read();
    writeFileSync(file, JSON.stringify(rest));
    return true;
  }
}
module.exports.AsyncEntry = AsyncEntry;
`;
