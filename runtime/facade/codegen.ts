/** All that the generated package of all revisions imports of the facade. It is made for that. */
export { errorProjection } from "./project/project-error.js";
export { projection } from "./project/projection.js";
export type { ProjectionTable } from "./project/projection-table.js";
