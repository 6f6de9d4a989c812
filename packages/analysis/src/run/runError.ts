/** What a user named is no run. The message says what would be one. */
export class RunError extends Error {
  override readonly name: string = 'RunError';
}
