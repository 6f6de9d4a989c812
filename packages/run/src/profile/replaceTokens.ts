import type { ProfileRecord } from '@org/formats';
import { fromPath, isSourceError, readProfileRecords } from '@org/formats/read';
import { type WriteResult, writeFileAtomic, writeProfileRecordLine } from '@org/formats/write';
import type { GoodputRule } from '@org/loadgen';
import { rateRequest } from './goodRequest.ts';
import { toClientTokens } from './tokenSource.ts';

/**
 * Replaces the server's token counts in a requests file by the client's counts. `onRequest` receives each new
 * line, which is rated by the goodput limits again. Returns undefined if the file cannot be read.
 */
export async function replaceTokens(
  path: string,
  goodput: readonly GoodputRule[] | undefined,
  onRequest: (line: ProfileRecord) => void,
): Promise<WriteResult | undefined> {
  try {
    return await writeFileAtomic(path, convertLines(path, goodput, onRequest));
  } catch (error) {
    if (!isSourceError(error)) throw error;
    return undefined;
  }
}

async function* convertLines(
  path: string,
  goodput: readonly GoodputRule[] | undefined,
  onRequest: (line: ProfileRecord) => void,
): AsyncGenerator<string> {
  for await (const line of readProfileRecords(fromPath(path))) {
    const converted = rateRequest(toClientTokens(line), goodput);
    onRequest(converted);
    yield `${writeProfileRecordLine(converted)}\n`;
  }
}
