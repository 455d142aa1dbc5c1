import { expect, it } from "vitest";
import { withoutSecrets } from "../../generator/cli/secrets.js";

it.each([
  ["the whole secret", "token abcdefgh refused", "token «masked» refused"],
  ["the token of a header", "got Bearer abcdefgh", "got «masked»"],
  ["a secret that was cut", "received abcde…", "received «masked»…"],
  ["each secret that was cut", "a… and abcd…, abcdef…", "a… and «masked»…, «masked»…"],
  ["no text that only looks cut", "wait… done", "wait… done"],
])("masks %s", (_, text, masked) => {
  expect(withoutSecrets(text, ["Bearer abcdefgh"])).toBe(masked);
});
