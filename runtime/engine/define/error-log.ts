import { HandlerError } from "../../wire/index.js";
import { RateGate } from "../../ground/index.js";

/**
 * The default `onerror`: a line on `console.error` each, with the stack of what a handler threw. A peer
 * cannot flood it; what is left out is counted.
 */
export function errorLog(): (error: Error) => void {
  const gate = new RateGate();
  let omitted = 0;
  return (error) => {
    if (!gate.pass()) {
      omitted += 1;
      return;
    }
    const more = omitted > 0 ? ` (${omitted} more errors were not shown)` : "";
    omitted = 0;
    console.error(`${error.name}: ${error.message}${more}${stackOf(error)}`);
  };
}

function stackOf(error: Error): string {
  const { cause } = error;
  return error instanceof HandlerError && cause instanceof Error ? `\n${cause.stack}` : "";
}
