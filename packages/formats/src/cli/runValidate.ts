import type { RunValidateOptions } from './options.ts';

/**
 * What `formats` and `servelens validate` do: checks files and prints a report. Gives the exit code: 0 when all
 * are valid, 1 when one is not.
 *
 * @throws TypeError without files
 */
export async function runValidate(options: RunValidateOptions): Promise<0 | 1> {
  // Loaded here, so that importing the package stays cheap for those who only call `validate`.
  const { runValidate: run } = await import('./validateFiles.ts');
  return await run(options);
}
