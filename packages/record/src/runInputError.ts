/**
 * Thrown if a run or an export cannot use an input, such as a folder, a file, a journal or a plan. The
 * message is meant for users and is printed without a stack trace.
 */
export class RunInputError extends Error {
  override readonly name: string = 'RunInputError';
}
