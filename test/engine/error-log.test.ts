import { afterEach, describe, expect, it, vi } from "vitest";
import { errorLog } from "../../runtime/engine/index.js";
import { HandlerError, InvalidMessageError } from "../../runtime/wire/errors.js";

describe("errorLog", () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it("prints a line, and the stack of what a handler threw", () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    const log = errorLog();
    log(new InvalidMessageError("odd input"));
    log(new HandlerError("text/echo", "failed: ouch", new Error("ouch")));
    expect(print.mock.calls[0]).toEqual(["InvalidMessageError: odd input"]);
    expect(print.mock.calls[1]![0]).toMatch(
      /^HandlerError: .*text\/echo failed: ouch\nError: ouch\n +at /,
    );
  });

  it("limits a flood, and reports how many lines it omitted", () => {
    vi.useFakeTimers();
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    const log = errorLog();
    for (let index = 0; index < 1000; index++) log(new Error("again"));
    expect(print).toHaveBeenCalledTimes(100);
    vi.advanceTimersByTime(1000);
    log(new Error("later"));
    expect(print.mock.lastCall).toEqual(["Error: later (900 more errors were not shown)"]);
  });
});
