/** The texts of an option that may be given more than once; none when it was not. */
export function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** A mistake in the words of a command line; the message says what is accepted. */
export class ArgumentError extends Error {
  override readonly name: string = 'ArgumentError';
}
