/** Returns the values of a repeatable option as text; none if the option was not given. */
export function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
