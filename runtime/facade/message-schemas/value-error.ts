import type { Issue } from "../../wire/index.js";

/** Place where a value departs from its type. */
export interface ValueIssue {
  readonly code: "invalid_type";
  /** Names of members and indexes of elements that lead to the place. */
  readonly path: (string | number)[];
  readonly message: string;
  /** Type that is demanded there. */
  readonly expected: string;
  /** JSON type of the value that is there, or the value itself when it is short. */
  readonly received: string;
}

/** A value is not of the type that was asked for. Its message lists the places. */
export class ValueError extends Error {
  override readonly name: string = "ValueError";
  readonly issues: readonly ValueIssue[];

  constructor(issues: readonly ValueIssue[]) {
    super(issues.map(line).join("\n"));
    this.issues = issues;
  }
}

function line({ path, message }: ValueIssue): string {
  return path.length === 0 ? message : `${path.join(".")}: ${message}`;
}

/** Issues with their places as steps; elements of arrays are numbers, as they are for the schema libraries. */
export function valueIssues(issues: readonly Issue[], value: unknown): ValueIssue[] {
  return issues.map(({ path, expected, received }) => ({
    code: "invalid_type",
    path: steps(path, value),
    message: `Invalid input: expected ${expected}, received ${received}`,
    expected,
    received,
  }));
}

function steps(pointer: string, value: unknown): (string | number)[] {
  let place = value;
  const names = pointer.split("/").slice(1);
  return names.map((token) => {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    const step = Array.isArray(place) ? Number(name) : name;
    place = (place as Record<string, unknown> | undefined)?.[name];
    return step;
  });
}
