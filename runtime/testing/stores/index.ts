export { busCases } from "./bus-cases.js";
export { eventCases } from "./event-cases.js";
export { mailCases } from "./mail-cases.js";
export { memoryStores, type MemoryStoresOptions } from "./memory-stores.js";
export { type Redeem, redeemCases } from "./redeem-cases.js";
export { sessionCases } from "./session-cases.js";
export type { MakeStore, SharedCaseOptions, StoreCase } from "./store-case.js";
export { streamCases } from "./stream-cases.js";
export { type TaskCaseOptions, taskCases } from "./task-cases.js";
