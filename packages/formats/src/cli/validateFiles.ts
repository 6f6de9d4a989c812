import type { FilesValidation, ValidateFilesOptions } from './fileList.ts';

/**
 * Validates files and formats a report. Implements the commands `servelens-validate` and `servelens validate`.
 *
 * @throws TypeError if no files are given
 */
export async function validateFiles(options: ValidateFilesOptions): Promise<FilesValidation> {
  // Imported on demand, so that callers that only use `validate` do not load the report formats.
  const { validateFileList } = await import('./fileList.ts');
  return await validateFileList(options);
}
