/** Times in milliseconds, and numbers, that cases of {@link SharedStores} need. */
export interface SharedCaseOptions {
  readonly sessionTtl?: number | undefined;
  readonly eventTtl?: number | undefined;
  readonly maxEvents?: number | undefined;
}
