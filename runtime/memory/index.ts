export { memoryPair, type MemoryPairOptions } from "./memory-pair.js";
