import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Diagnostics } from "../../generator/diagnostics.js";
import { MAX_BYTES } from "../../generator/load/limits.js";
import { load } from "../../generator/load/load.js";
import { sourceFromBytes, type SourceOptions } from "../../generator/load/source-from-bytes.js";

const folder = mkdtempSync(join(tmpdir(), "mcp-codegen-load-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string | Uint8Array): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

function refused(file: string) {
  const diagnostics = new Diagnostics();
  expect(load(file, diagnostics)).toBeUndefined();
  const [item, ...others] = diagnostics.items;
  expect(others).toEqual([]);
  expect(item).toMatchObject({ severity: "error", file, hint: expect.any(String) });
  return item!;
}

function fromBytes(bytes: Uint8Array, options?: SourceOptions) {
  const diagnostics = new Diagnostics();
  const source = sourceFromBytes("schema.ts", bytes, diagnostics, options);
  return { source, items: diagnostics.items };
}

describe("load", () => {
  it("reads text, and the digest of its bytes", () => {
    const bytes = Buffer.from("\uFEFFexport type A = 'ä';\r\n");
    const file = write("schema.ts", bytes);
    expect(load(file, new Diagnostics())).toEqual({
      file,
      text: "export type A = 'ä';\r\n",
      sha256: createHash("sha256").update(bytes).digest("hex"),
    });
  });

  it("refuses a missing file", () => {
    expect(refused(join(folder, "absent.ts")).code).toBe("MCG1001");
    expect(refused(join(write("file", "x"), "schema.ts")).code).toBe("MCG1001");
  });

  it("refuses a folder", () => expect(refused(folder).code).toBe("MCG1003"));

  it("refuses an unreadable file", () => {
    const loop = join(folder, "loop.ts");
    symlinkSync("loop.ts", loop);
    expect(refused(loop)).toMatchObject({
      code: "MCG1004",
      message: expect.stringContaining("ELOOP"),
    });
  });

  it("refuses a file without permission", (context) => {
    context.skip(process.getuid?.() === 0, "root may read every file");
    const file = write("secret.ts", "export type A = 1;");
    chmodSync(file, 0);
    expect(refused(file)).toMatchObject({
      code: "MCG1004",
      message: expect.stringContaining("EACCES"),
    });
  });

  it.each(["", "\uFEFF", " \r\n\t"])("refuses %j as empty", (text) => {
    expect(refused(write("empty.ts", text)).code).toBe("MCG1005");
  });

  it.skipIf(process.platform === "win32").each(["/dev/zero", "/dev/null"])(
    "refuses the device %s",
    (device) => {
      expect(refused(device).code).toBe("MCG1003");
    },
  );

  it("refuses a file that is too large without reading all of it", () => {
    const huge = write("huge.ts", "");
    truncateSync(huge, 2 ** 40);
    expect(refused(huge).code).toBe("MCG1006");
    expect(fromBytes(new Uint8Array(MAX_BYTES + 1)).items[0]?.code).toBe("MCG1006");
    expect(fromBytes(Buffer.alloc(MAX_BYTES, "/")).items).toEqual([]);
  });
});

describe("bytes that are not UTF-8 are refused at their place", () => {
  it.each([
    ["a lone byte", [...Buffer.from("a\n\ubeefä"), 0xff, 0x61], 2, 3],
    ["a character that is cut off", [0x61, 0xe2, 0x82], 1, 2],
    ["Latin-1", [...Buffer.from("one\r\ntwo\u2028"), 0xe4, 0x20], 3, 1],
    ["an overlong form", [0x61, 0x61, 0xc0, 0x80], 1, 3],
    ["a lone byte and nothing else", [0x80], 1, 1],
  ])("%s", (_, bytes, line, column) => {
    const { source, items } = fromBytes(Uint8Array.from(bytes));
    expect(source).toBeUndefined();
    expect(items).toEqual([
      expect.objectContaining({ code: "MCG1002", span: expect.objectContaining({ line, column }) }),
    ]);
  });

  it("UTF-16 is recognised", () => {
    const { items } = fromBytes(Buffer.from("\uFEFFexport type A = 1;", "utf16le"));
    expect(items[0]).toMatchObject({ code: "MCG1002", message: expect.stringContaining("UTF-16") });
  });
});

describe("an expected digest", () => {
  const bytes = Buffer.from("export type A = 1;");
  const sha256 = createHash("sha256").update(bytes).digest("hex");

  it("is confirmed", () => {
    expect(fromBytes(bytes, { sha256: sha256.toUpperCase() }).source?.sha256).toBe(sha256);
  });

  it("is refused for other bytes", () => {
    const { source, items } = fromBytes(bytes, { sha256: "0".repeat(64) });
    expect(source).toBeUndefined();
    expect(items[0]).toMatchObject({ code: "MCG1007", message: expect.stringContaining(sha256) });
  });
});
