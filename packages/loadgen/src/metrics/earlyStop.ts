import type { RequestRecord } from '../requestRecord.ts';

/**
 * Reports whether the server ended a response before the requested length: `finish_reason` is not `length`, and `usage`,
 * if present, is smaller than requested. A client's tokenizer can count fewer tokens than the server generated, so a
 * shorter response alone is not sufficient.
 */
export function isEarlyStop({
  finishReason,
  requestedOutput,
  usage,
  counted,
  failure,
}: Pick<RequestRecord, 'finishReason' | 'requestedOutput' | 'usage' | 'counted' | 'failure'>): boolean {
  if (failure || !requestedOutput || finishReason === undefined || finishReason === 'length') return false;
  const output = usage?.completionTokens ?? counted.output;
  return output !== undefined && output < requestedOutput;
}
