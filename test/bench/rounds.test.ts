import { describe, expect, it } from "vitest";
import { interleave, ratio, summary, valuesOf } from "./core/rounds.js";

const measuring = (name: string, order: string[]) => ({
  name,
  measure: () => Promise.resolve({ time: order.push(name) }),
});

describe("summary", () => {
  it("is the middle of sorted numbers", () => {
    expect(summary([100, 9, 10])).toEqual({ median: 10, min: 9, max: 100 });
  });

  it("is the mean of the two in the middle", () => {
    expect(summary([4, 1, 2, 10])).toEqual({ median: 3, min: 1, max: 10 });
  });
});

describe("ratio", () => {
  it("is taken within each round, so that a slow phase of the machine cancels out", () => {
    const ours = [10, 40, 10];
    const peer = [50, 200, 50];
    expect(summary(ratio(peer, ours))).toEqual({ median: 5, min: 5, max: 5 });
  });

  it("needs the same rounds", () => {
    expect(() => ratio([1, 2], [1])).toThrow("same rounds");
  });
});

describe("interleave", () => {
  it("starts each round with another contestant", async () => {
    const order: string[] = [];
    await interleave([measuring("a", order), measuring("b", order), measuring("c", order)], 3);
    expect(order.join("")).toBe("abcbcacab");
  });

  it("keeps the value of each round", async () => {
    const values = [3, 1, 2];
    const one = { name: "one", measure: () => Promise.resolve({ cpu: values.shift()! }) };
    const seen = await interleave([one], 3);
    expect(valuesOf(seen, "one", "cpu")).toEqual([3, 1, 2]);
    expect(valuesOf(seen, "one", "rss")).toBeUndefined();
  });

  it("fails if a contestant fails", async () => {
    const broken = { name: "broken", measure: () => Promise.reject(new Error("Wrong answer")) };
    await expect(interleave([broken], 1)).rejects.toThrow("Wrong answer");
  });
});
