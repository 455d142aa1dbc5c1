import { isObject } from "./json.js";
import type { ContractDefinition } from "./server-contract.js";

/**
 * Definition of a resource without the members that change with its content: its size, and the time of the last
 * change.
 */
export function lastingDefinition(definition: ContractDefinition): ContractDefinition {
  const { size: _size, annotations, ...others } = definition;
  if (!isObject(annotations))
    return annotations === undefined ? others : { ...others, annotations };
  const { lastModified: _time, ...rest } = annotations;
  return Object.keys(rest).length === 0 ? others : { ...others, annotations: rest };
}
