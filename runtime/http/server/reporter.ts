import { errorLog } from "../../engine/index.js";
import { quiet } from "../../ground/index.js";

/** Calls an `onerror` that may itself fail: then there is nobody left to tell. */
export function reporter(onerror: (error: Error) => unknown = errorLog()): (error: Error) => void {
  return (error) => {
    try {
      const result = onerror(error);
      if (result instanceof Promise) void quiet(result);
    } catch {
      // Nothing can be done about it here.
    }
  };
}
