import { pathToFileURL } from 'node:url';
import { openSource, type Source } from '@org/formats/read';

/**
 * Opens a file for the readers of @org/formats, to be read once. Passes a URL, because a name such as
 * `#1/server_metrics_export.json` or `[a].csv` could be taken for the content of a file.
 *
 * @throws the file system's error if the file cannot be read
 */
export async function openInput(file: string): Promise<Source> {
  return { ...(await openSource(pathToFileURL(file))), name: file };
}
