/** The members that are not undefined. */
export function definedOnly<Members extends object>(members: Members): Partial<Members> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Members>;
}
