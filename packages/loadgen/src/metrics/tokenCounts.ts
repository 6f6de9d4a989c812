import { generatesText } from '../endpoint/endpoints.ts';
import type { RequestRecord, TokenCounts, TokenSource } from '../requestRecord.ts';

/** The fields of a record that its token counts are read from. */
type CountedRecord = Pick<RequestRecord, 'endpoint' | 'counted' | 'usage'>;

/** Returns the token counts of a request from one source. Responses without text, such as embeddings, have no output. */
export function selectTokenCounts(record: CountedRecord, source: TokenSource): TokenCounts {
  const counts = source === 'server' ? readServerCounts(record) : record.counted;
  return !generatesText(record.endpoint)
    ? { input: counts.input, output: undefined, reasoning: undefined }
    : counts;
}

/** Reports whether the server reported all token counts that the API has. */
export function hasServerCounts(record: CountedRecord): boolean {
  const { input, output } = selectTokenCounts(record, 'server');
  return input !== undefined && (output !== undefined || !generatesText(record.endpoint));
}

/** Returns the counts in `usage`, where completion tokens include reasoning tokens. */
function readServerCounts({ usage }: CountedRecord): TokenCounts {
  const { promptTokens, completionTokens, reasoningTokens } = usage ?? {};
  const output =
    completionTokens === undefined ? undefined : Math.max(0, completionTokens - (reasoningTokens ?? 0));
  return { input: promptTokens, output, reasoning: reasoningTokens };
}
