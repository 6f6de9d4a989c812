/** An error for a path that is not a run. The message states what was expected. */
export class RunError extends Error {
  override readonly name: string = 'RunError';
}
