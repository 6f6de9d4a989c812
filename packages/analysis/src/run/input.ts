import { pathToFileURL } from 'node:url';
import { openSource, type Source } from '@org/formats/read';

/**
 * Opens a file for the readers of @org/formats, to be read once. They would take a name such as `#1/server_metrics_export.json` or
 * `[a].csv` for the text of a file.
 *
 * @throws the file system's error when it cannot be read.
 */
export async function openInput(file: string): Promise<Source> {
  return { ...(await openSource(pathToFileURL(file))), name: file };
}
