/** The requirements that a peer could observe but the doctor does not examine, in the words of its pages. */
export const NOT_EXAMINED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "doctor.md": {
    "whether a tool stops working when its stateless request over HTTP is abandoned": ["CANC-11"],
  },
  "client-doctor.md": {
    "whether a client that declares elicitation supports at least one of its modes": ["ELIC-04"],
  },
};

/** The requirements that a peer can observe and that had no check before. */
export const OBSERVABLE: readonly string[] = [
  "TASK-11 TASK-14 TASK-19 XTASK-05 XTASK-11 XTASK-12 XTASK-13 XTASK-14 XTASK-15 XTASK-20",
  "BATCH-07 CANC-11 HTTP-17 STATE-02 POLL-01 POLL-03 RSM-09 VER-08 SHTTP-16 MRTR-21",
  "ELIC-04 ELIC-06 SAMP-08 SAMP-13 XH-09 BASE-20",
].flatMap((ids) => ids.split(" "));
