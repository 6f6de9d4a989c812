/** A mistake in the words of a command line; the message says what is accepted. */
export class ArgumentError extends Error {
  override readonly name: string = 'ArgumentError';
}
