import type { Matcher, Selector } from '../selector.ts';
import { MessageWriter } from './protobuf.ts';
import { encodeSnappy } from './snappy.ts';

/** The values of `LabelMatcher.Type`. */
const MATCHER_TYPES: Readonly<Record<Matcher['operator'], number>> = { '=': 0, '!=': 1, '=~': 2, '!~': 3 };
/** The values of `ReadRequest.ResponseType`, in the order of preference: streamed chunks, then samples. */
const RESPONSE_TYPES = Uint8Array.of(1, 0);

/** Encodes the body of a remote read request for the time range [fromMs, toMs]. */
export function encodeReadRequest({ matchers }: Selector, fromMs: number, toMs: number): Uint8Array {
  const query = new MessageWriter().writeNumber(1, fromMs).writeNumber(2, toMs);
  for (const { operator, name, value } of matchers) {
    const matcher = new MessageWriter()
      .writeNumber(1, MATCHER_TYPES[operator])
      .writeBytes(2, name)
      .writeBytes(3, value);
    query.writeBytes(3, matcher.toBytes());
  }
  const request = new MessageWriter().writeBytes(1, query.toBytes()).writeBytes(2, RESPONSE_TYPES);
  return encodeSnappy(request.toBytes());
}
