import type { Failure } from '../failure.ts';

/** Words of servers that refuse a prompt because it is longer than the context of the model. */
const OVERFLOW = /context length|maximum context|context_length_exceeded|prompt is too long/i;

/** Reports whether a request failed because its prompt exceeds the context of the model. */
export function isContextOverflow({ message }: Failure): boolean {
  return OVERFLOW.test(message);
}
