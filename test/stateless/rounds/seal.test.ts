import { expect, test } from "vitest";
import { fromBase64Url, toBase64Url } from "../../../runtime/ground/index.js";
import { canonical, digestOf } from "../../../runtime/stateless/server/rounds/state.js";
import { sealOf } from "../../../runtime/stateless/server/rounds/seal.js";

const key = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);

test("sealed text opens with its key in its context only (MRTR-16)", async () => {
  const seal = sealOf([key(1)]);
  const sealed = await seal.seal("text – ü", "context");
  expect(await seal.open(sealed, "context")).toBe("text – ü");
  expect(await sealOf([key(1)]).open(sealed, "context")).toBe("text – ü");
  expect(await sealOf([key(2)]).open(sealed, "context")).toBeUndefined();
  expect(await sealOf().open(sealed, "context")).toBeUndefined();
  expect(await seal.open(sealed, "other context")).toBeUndefined();
});

test("every changed character is detected (MRTR-16)", async () => {
  const seal = sealOf();
  const sealed = await seal.seal("{}", "context");
  for (let at = 0; at < sealed.length; at++) {
    for (const other of ["A", "B", "_", "=", ".", " ", "\0"]) {
      if (sealed[at] === other) continue;
      const changed = sealed.slice(0, at) + other + sealed.slice(at + 1);
      expect(await seal.open(changed, "context"), changed).toBeUndefined();
    }
    expect(await seal.open(sealed.slice(0, at), "context")).toBeUndefined();
  }
});

test("the same text is sealed differently each time (MRTR-16)", async () => {
  const seal = sealOf();
  const all = await Promise.all(Array.from({ length: 50 }, () => seal.seal("text", "context")));
  expect(new Set(all).size).toBe(50);
});

test("later changes of a secret have no effect", async () => {
  const secret = key(1);
  const seal = sealOf([secret]);
  const sealed = await sealOf([key(1)]).seal("text", "context");
  secret.fill(2);
  expect(await seal.open(sealed, "context")).toBe("text");
});

test("bytes have one encoding, and other strings decode to nothing", () => {
  for (let length = 0; length < 70; length++) {
    const bytes = crypto.getRandomValues(new Uint8Array(length));
    const text = toBase64Url(bytes);
    expect(text).toBe(Buffer.from(bytes).toString("base64url"));
    expect(fromBase64Url(text)).toEqual(bytes);
  }
  for (const text of ["A", "AB", "A===", "AA==", "A+", "A/", "AAAAA", "AA\n", "ä"]) {
    expect(fromBase64Url(text), text).toBeUndefined();
  }
});

test("equal values have one encoding, unequal ones another", async () => {
  expect(canonical({ b: [1, { d: 1, c: 2 }], a: "x" })).toBe(
    canonical({ a: "x", b: [1, { c: 2, d: 1 }] }),
  );
  expect(canonical({ a: [1, 2] })).not.toBe(canonical({ a: [2, 1] }));
  expect(canonical({ a: undefined })).toBe("{}");
  expect(canonical(JSON.parse('{"__proto__":1}'))).not.toBe(canonical({}));
  expect(canonical({ 10: 1, 9: 2 })).toBe(canonical({ 9: 2, 10: 1 }));
  expect(await digestOf("abc")).toBe("ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
});
