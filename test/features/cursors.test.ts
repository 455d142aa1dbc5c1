import { describe, expect, it, vi } from "vitest";
import { RpcError } from "../../runtime/wire/errors.js";
import { Cursors, type Page, checkedPageSize } from "../../runtime/features/index.js";

const LIST = "tools/list";
const keyOf = (name: string) => name;
const names = (count: number) => Array.from({ length: count }, (_, index) => `item ${index}`);

async function page(
  cursors: Cursors,
  items: readonly string[],
  cursor?: string,
  pageSize = 3,
): Promise<Page<string>> {
  return cursors.paginate({ list: LIST, items, keyOf, pageSize, cursor });
}

async function refusal(work: Promise<unknown>): Promise<RpcError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(RpcError);
  return error as RpcError;
}

describe("paginate", () => {
  it("returns every item once, in order, without a cursor on the last page (PAGE-01, PAGE-05)", async () => {
    const cursors = new Cursors();
    const items = names(10);
    const pages: Page<string>[] = [];
    let cursor: string | undefined;
    do {
      const one = await page(cursors, items, cursor);
      pages.push(one);
      cursor = one.nextCursor;
    } while (cursor !== undefined);
    expect(pages.map((one) => one.items.length)).toEqual([3, 3, 3, 1]);
    expect(pages.flatMap((one) => one.items)).toEqual(items);
    expect(pages.at(-1)).not.toHaveProperty("nextCursor");
  });

  it("ends with the last item, without an empty page", async () => {
    const first = await page(new Cursors(), names(3));
    expect(first).toEqual({ items: names(3) });
  });

  it("needs neither a promise nor cryptography if one page is enough", () => {
    const sign = vi.spyOn(crypto.subtle, "sign");
    const random = vi.spyOn(crypto, "getRandomValues");
    const items = names(5);
    const whole = new Cursors().paginate({ list: LIST, items, keyOf });
    expect(whole).toEqual({ items });
    expect((whole as Page<string>).items).toBe(items);
    expect(sign).not.toHaveBeenCalled();
    expect(random).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  it.each([
    ["an earlier item was removed", ["item 1", "item 2", "item 3", "item 4"], ["item 3", "item 4"]],
    ["an item was added before", ["new", ...names(5)], ["item 3", "item 4"]],
    ["an item was added after", [...names(5), "new"], ["item 3", "item 4", "new"]],
    ["the last item was removed", ["item 0", "item 1", "item 3", "item 4"], ["item 4"]],
    ["few items are left", ["item 0"], []],
    ["no items are left", [], []],
  ])("continues correctly if %s (S08)", async (_, changed, expected) => {
    const cursors = new Cursors();
    const { nextCursor } = await page(cursors, names(5));
    expect((await page(cursors, changed, nextCursor)).items).toEqual(expected);
  });

  it("accepts a cursor twice (S08)", async () => {
    const cursors = new Cursors();
    const { nextCursor } = await page(cursors, names(7));
    const once = await page(cursors, names(7), nextCursor);
    expect(await page(cursors, names(7), nextCursor)).toEqual(once);
  });

  it("keeps cursors short, however long the keys are", async () => {
    const cursors = new Cursors();
    const items = names(5).map((name) => name + "x".repeat(100_000));
    const { nextCursor } = await page(cursors, items);
    expect(nextCursor!.length).toBeLessThan(200);
    expect((await page(cursors, items, nextCursor)).items).toEqual(items.slice(3));
  });

  it.each(["\0", "\ud800", "\uffff", "ä", "a"])(
    "accepts its own cursors, whatever the longest keys consist of: %j",
    async (unit) => {
      const cursors = new Cursors();
      const items = ["a", "b", unit.repeat(256), "d"];
      const { nextCursor } = await page(cursors, items);
      expect((await page(cursors, items, nextCursor)).items).toEqual(["d"]);
    },
  );

  it("accepts cursors of another instance with the same key, and no others", async () => {
    const key = new Uint8Array(32).fill(7);
    const { nextCursor } = await page(new Cursors({ key }), names(5));
    const opened = await page(new Cursors({ key }), names(5), nextCursor);
    expect(opened.items).toEqual(["item 3", "item 4"]);
    const error = await refusal(page(new Cursors(), names(5), nextCursor));
    expect(error.code).toBe(-32602);
  });
});

describe("an invalid cursor is refused with -32602 (PAGE-06, S08)", () => {
  const cursors = new Cursors();

  it.each([
    ["empty", ""],
    ["text that is not base64url", "a b+/="],
    ["a number", "3"],
    ["huge", "A".repeat(1_000_000)],
    ["random", "A".repeat(80)],
    ["a lone surrogate", "\ud800"],
    ["a name of Object.prototype", "__proto__"],
  ])("%s", async (_, cursor) => {
    const error = await refusal(page(cursors, names(5), cursor));
    expect(error.code).toBe(-32602);
    expect(error.message).toContain("/cursor");
    expect(error.message.length).toBeLessThan(200);
  });

  it("refuses a cursor with one character changed, dropped or added", async () => {
    const { nextCursor = "" } = await page(cursors, names(5));
    expect(nextCursor).toMatch(/^[\w-]+$/);
    const forged = Array.from(nextCursor, (character, index) => {
      const other = character === "A" ? "B" : "A";
      return nextCursor.slice(0, index) + other + nextCursor.slice(index + 1);
    });
    for (const cursor of [...forged, nextCursor.slice(0, -1), `${nextCursor}A`, `${nextCursor}=`]) {
      expect((await refusal(page(cursors, names(5), cursor))).code).toBe(-32602);
    }
  });

  it("refuses a cursor of another list", async () => {
    const { nextCursor } = await page(cursors, names(5));
    const other = cursors.open("prompts/list", nextCursor!);
    expect((await refusal(other)).code).toBe(-32602);
  });

  it("refuses a sealed string as a position, and a position as a sealed string", async () => {
    for (const text of ["from another server", '["0","item 3"]', "[1]"]) {
      const sealed = await cursors.sealText(LIST, text);
      expect(await cursors.openText(LIST, sealed)).toBe(text);
      expect((await refusal(page(cursors, names(5), sealed))).code).toBe(-32602);
    }
    const position = await cursors.seal(LIST, { index: 1 });
    expect(await cursors.open(LIST, position)).toEqual({ index: 1 });
    expect((await refusal(cursors.openText(LIST, position))).code).toBe(-32602);
  });

  it("refuses a cursor if the list has one page", async () => {
    const all = Promise.resolve(
      cursors.paginate({ list: LIST, items: names(2), keyOf, cursor: "x" }),
    );
    expect((await refusal(all)).code).toBe(-32602);
  });
});

describe("options", () => {
  it("reject a key that is too short", () => {
    expect(() => new Cursors({ key: new Uint8Array(31) })).toThrow(/32 bytes/);
  });

  it("ignore a key that changes later", async () => {
    const key = new Uint8Array(32).fill(1);
    const cursors = new Cursors({ key });
    key.fill(2);
    const { nextCursor } = await page(cursors, names(5));
    const same = new Cursors({ key: new Uint8Array(32).fill(1) });
    expect((await page(same, names(5), nextCursor)).items).toHaveLength(2);
  });

  it.each([0, -1, 1.5, Number.NaN, "3"])("reject a page size of %s", (pageSize) => {
    expect(() => checkedPageSize(pageSize as number)).toThrow(TypeError);
  });
});
