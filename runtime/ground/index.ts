export { fromBase64Url, toBase64, toBase64Url } from "./base64.js";
export { type Tally, oncePerKey, oncePerList, tally, TransientMap } from "./collections.js";
export { type Deadlines, deadlines, LONGEST_DELAY, type Timed } from "./deadlines.js";
export { assertKnownNames, assertTime, assertTimeouts, sentence } from "./known-names.js";
export type { MembersOf, SetOptional } from "./object-types.js";
export { HOLDS_SILENT_RESPONSES, REQUESTS_OWN_IO } from "./platforms.js";
export {
  abortable,
  isThenable,
  isWithin,
  type OnDemand,
  onDemand,
  pause,
  quiet,
  whenDone,
  within,
} from "./promises.js";
export { type RateGate, rateGate, type Throttle, throttled } from "./rates.js";
