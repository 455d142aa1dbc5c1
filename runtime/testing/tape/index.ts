export { canonicalText } from "./canonical.js";
export {
  createMasks,
  isMasked,
  isSecretName,
  MARK,
  type MaskOptions,
  type Masks,
} from "./masks.js";
export { openTape, type OpenTape, readTape, type TapeSource } from "./read-tape.js";
export {
  type Framing,
  TAPE_VERSION,
  type TapeEntry,
  TapeError,
  type TapeHead,
  type TapeHttp,
  type TapeLine,
  type TapeTransport,
  TEXT_LIMIT,
} from "./tape-format.js";
export { createTapeWriter, type TapeWriter, type TapeWriterOptions } from "./write-tape.js";
