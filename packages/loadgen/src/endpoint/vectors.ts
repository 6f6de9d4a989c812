import type { Delta } from './endpoint.ts';
import { createDelta, toFields } from './responseFields.ts';

/** Counts the vectors in a response of OpenAI's embeddings API. */
export function countVectors(json: unknown): Delta {
  const fields = toFields(json);
  const results = Array.isArray(fields.data) ? fields.data.length : 0;
  return { ...createDelta(fields, '', ''), results };
}
