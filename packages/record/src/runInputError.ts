/**
 * An input that a run or an export cannot use: a folder, a file, a journal, a plan. The message is written for the user,
 * who needs no stack trace.
 */
export class RunInputError extends Error {
  override readonly name: string = 'RunInputError';
}
