import { describe, expect, it } from "vitest";
import { interleave, summary } from "./core/rounds.js";

const measuring = (name: string, order: string[]) => ({
  name,
  measure: () => Promise.resolve({ time: order.push(name) }),
});

describe("summary", () => {
  it("takes the middle, whatever the order", () => {
    expect(summary([30, 1, 2])).toEqual({ median: 2, min: 1, max: 30, rounds: 3 });
  });

  it("takes the mean of the two in the middle", () => {
    expect(summary([4, 1, 2, 10])).toEqual({ median: 3, min: 1, max: 10, rounds: 4 });
  });

  it("sorts by number", () => {
    expect(summary([9, 10, 100]).median).toBe(10);
  });
});

describe("interleave", () => {
  it("lets another one begin each round", async () => {
    const order: string[] = [];
    await interleave([measuring("a", order), measuring("b", order), measuring("c", order)], 3);
    expect(order.join("")).toBe("abcbcacab");
  });

  it("sums up each figure of each contestant", async () => {
    const values = [3, 1, 2];
    const one = { name: "one", measure: () => Promise.resolve({ cpu: values.shift()!, rss: 7 }) };
    const seen = await interleave([one], 3);
    expect(seen.get("one")!.cpu).toEqual({ median: 2, min: 1, max: 3, rounds: 3 });
    expect(seen.get("one")!.rss.median).toBe(7);
  });

  it("does not hide that one failed", async () => {
    const broken = { name: "broken", measure: () => Promise.reject(new Error("Wrong answer")) };
    await expect(interleave([broken], 1)).rejects.toThrow("Wrong answer");
  });
});
