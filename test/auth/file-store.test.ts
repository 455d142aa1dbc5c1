import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileStore } from "@mcp-codegen/auth/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let folder: string;
beforeAll(() => {
  folder = join(mkdtempSync(join(tmpdir(), "mcp-auth-")), "store");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the store in files", () => {
  it("keeps values from other users, by what is written first as well (AUTH-46)", async () => {
    const store = fileStore({ folder });
    expect(await store.get("a")).toBeUndefined();
    await store.set("a", "one");
    await store.set("a", "two");
    await store.set("b/../../c", "three");
    expect(await fileStore({ folder }).get("a")).toBe("two");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const files = readdirSync(folder);
    expect(files).toHaveLength(2);
    expect(files.map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(files.join()).not.toMatch(/three|\.tmp/);
    await store.delete("a");
    await store.delete("a");
    expect(await store.get("a")).toBeUndefined();
  });

  it("takes a broken file for none", async () => {
    const store = fileStore({ folder });
    await store.set("broken", "value");
    const name = readdirSync(folder).find((one) =>
      readFileSync(join(folder, one), "utf8").includes(`"broken"`),
    )!;
    writeFileSync(join(folder, name), "{");
    expect(await store.get("broken")).toBeUndefined();
  });

  it("does work for one key one after the other", async () => {
    const [first, second] = [fileStore({ folder }), fileStore({ folder })];
    const log: string[] = [];
    const work = (name: string) => async () => {
      log.push(`${name} begins`);
      await setTimeout(30);
      log.push(`${name} ends`);
    };
    await Promise.all([first.exclusive!("k", work("a")), second.exclusive!("k", work("b"))]);
    expect(log[1]).toBe(log[0]!.replace("begins", "ends"));
    await expect(first.exclusive!("k", () => Promise.reject(new Error("no")))).rejects.toThrow(
      "no",
    );
    await first.exclusive!("k", work("c"));
    expect(readdirSync(folder).filter((name) => name.includes("lock"))).toEqual([]);
  });

  it("takes over the lock of a process that is gone", async () => {
    const store = fileStore({ folder });
    let lock = "";
    await store.exclusive!("dead", async () => {
      lock = readdirSync(folder).find((name) => name.endsWith(".lock"))!;
    });
    writeFileSync(join(folder, lock), "gone");
    const long = new Date(Date.now() - 600_000);
    utimesSync(join(folder, lock), long, long);
    expect(await store.exclusive!("dead", async () => "done")).toBe("done");
  });
});
