import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { inBackground } from "../../runtime/tasks/task-store.js";

const DAY = 24 * 3_600_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("background work runs when due unless it was cancelled", () => {
  const [done, off] = [vi.fn(), vi.fn()];
  inBackground(1000, done);
  inBackground(1000, off)();
  vi.advanceTimersByTime(1000);
  expect(done).toHaveBeenCalledTimes(1);
  expect(off).not.toHaveBeenCalled();
});

it.each([Infinity, 30 * DAY])("a wait of %d ms does not end early (TASK-18)", (time) => {
  const expired = vi.fn();
  inBackground(time, expired);
  vi.advanceTimersByTime(29 * DAY);
  expect(expired).not.toHaveBeenCalled();
  vi.advanceTimersByTime(DAY);
  expect(expired).toHaveBeenCalledTimes(time === Infinity ? 0 : 1);
});

it("a long wait can be cancelled at any time", () => {
  const off = vi.fn();
  const cancel = inBackground(60 * DAY, off);
  vi.advanceTimersByTime(30 * DAY);
  cancel();
  vi.advanceTimersByTime(60 * DAY);
  expect(off).not.toHaveBeenCalled();
});
