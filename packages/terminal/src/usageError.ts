/** A mistake on the command line. It is printed without a stack trace, and the program exits with code 2. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}
