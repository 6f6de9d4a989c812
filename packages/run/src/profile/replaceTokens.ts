import type { ProfileRecord } from '@org/formats';
import { fromPath, isSourceError, readProfileRecords } from '@org/formats/read';
import { type WriteResult, writeFileAtomic, writeProfileRecordLine } from '@org/formats/write';
import { toClientTokens } from './tokenSource.ts';

/**
 * Replaces the server's token counts in a requests file by the client's counts. `onRequest` receives each new
 * line. Returns undefined if the file cannot be read.
 */
export async function replaceTokens(
  path: string,
  onRequest: (line: ProfileRecord) => void,
): Promise<WriteResult | undefined> {
  try {
    return await writeFileAtomic(path, convertLines(path, onRequest));
  } catch (error) {
    if (!isSourceError(error)) throw error;
    return undefined;
  }
}

async function* convertLines(path: string, onRequest: (line: ProfileRecord) => void): AsyncGenerator<string> {
  for await (const line of readProfileRecords(fromPath(path))) {
    const converted = toClientTokens(line);
    onRequest(converted);
    yield `${writeProfileRecordLine(converted)}\n`;
  }
}
