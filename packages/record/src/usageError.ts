/** A user's mistake: shown as it is, without a stack trace, and answered with exit code 2. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}
