import type { RunValidateOptions } from './validateFiles.ts';

/**
 * Validates files and prints a report. Implements the commands `formats` and `servelens validate`. Returns
 * the exit code: 0 if all files are valid, otherwise 1.
 *
 * @throws TypeError if no files are given
 */
export async function runValidate(options: RunValidateOptions): Promise<0 | 1> {
  // Imported on demand, so that callers that only use `validate` do not load the report formats.
  const { validateFiles } = await import('./validateFiles.ts');
  return await validateFiles(options);
}
