import { randomUUID } from "node:crypto";
import {
  existsSync,
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

describe("the file store", () => {
  it("protects values from other users, from the first write on (AUTH-46)", async () => {
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

  it("treats a corrupt file as missing", async () => {
    const store = fileStore({ folder });
    await store.set("broken", "value");
    const name = readdirSync(folder).find((one) =>
      readFileSync(join(folder, one), "utf8").includes(`"broken"`),
    )!;
    writeFileSync(join(folder, name), "{");
    expect(await store.get("broken")).toBeUndefined();
  });

  it("runs work for one key in sequence", async () => {
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

  it("lets one process at a time take over an abandoned lock", async () => {
    const store = fileStore({ folder });
    let lock = "";
    await store.exclusive!("contested", async () => {
      lock = join(
        folder,
        readdirSync(folder).find((name) => name.endsWith(".lock"))!,
      );
    });
    const owner = { id: randomUUID(), pid: 1, machine: "another" };
    writeFileSync(lock, JSON.stringify(owner));
    const long = new Date(Date.now() - 600_000);
    utimesSync(lock, long, long);
    let [now, most, done] = [0, 0, 0];
    const work = async (): Promise<void> => {
      now += 1;
      most = Math.max(most, now);
      await setTimeout(5);
      now -= 1;
      done += 1;
    };
    await Promise.all(Array.from({ length: 20 }, () => store.exclusive!("contested", work)));
    expect([most, done]).toEqual([1, 20]);
    expect(readdirSync(folder).filter((name) => name.includes("lock"))).toEqual([]);
  });

  it("removes on deletion what a killed process was writing", async () => {
    const store = fileStore({ folder });
    await store.set("half", "value");
    const name = readdirSync(folder).find((one) =>
      readFileSync(join(folder, one), "utf8").includes(`"half"`),
    )!;
    const [old, young] = ["old", "young"].map((one) => join(folder, `${name}.${one}.tmp`));
    writeFileSync(old!, "secret");
    writeFileSync(young!, "of a process that is still at it");
    const long = new Date(Date.now() - 600_000);
    utimesSync(old!, long, long);
    await store.delete("half");
    expect([existsSync(old!), existsSync(young!)]).toEqual([false, true]);
    rmSync(young!);
  });

  it.each(["", "{"])(
    "takes over a lock without a readable owner after seconds: %j",
    async (text) => {
      const store = fileStore({ folder });
      let lock = "";
      await store.exclusive!("unnamed", async () => {
        lock = readdirSync(folder).find((name) => name.endsWith(".lock"))!;
      });
      writeFileSync(join(folder, lock), text);
      const old = new Date(Date.now() - 6_000);
      utimesSync(join(folder, lock), old, old);
      expect(await store.exclusive!("unnamed", async () => "done")).toBe("done");
    },
  );

  it("takes over the lock of another machine after a time", async () => {
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
