/** Pattern of server names, which become parts of identifiers and names of folders. */
export const NAME_RULE =
  "a name has letters, digits, dots, dashes and underscores, and @ before what tells two apart";

export function isServerName(name: string): boolean {
  return /^[A-Za-z0-9][\w-]*(?:\.[\w-]+)*(?:@[\w-]+)?$/.test(name) && name.length <= 64;
}
