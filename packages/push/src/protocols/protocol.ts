import type { Batch } from '../metrics/batch.ts';

/** The body of a request and the headers that describe it. */
export interface EncodedBatch {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** The response of a receiver. */
export interface Reply {
  readonly status: number;
  /** Headers by their name in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** The result of a batch, as read from the response. */
export type Verdict =
  /** The receiver has stored the batch, except for `rejected` points. */
  | { readonly kind: 'accepted'; readonly rejected: number; readonly message?: string }
  /** The receiver may accept the same batch later. */
  | { readonly kind: 'retry'; readonly message: string }
  /** The receiver requires another version of the protocol, which the next `encode` returns. */
  | { readonly kind: 'other_version' }
  /** The receiver does not accept the batch. */
  | { readonly kind: 'rejected'; readonly rejected: number; readonly message: string };

/** A protocol that batches are sent with. An instance belongs to one receiver. */
export interface Protocol {
  /** The version in use, if the protocol has several. */
  readonly version: string | undefined;
  /** Identifies the form of encoded batches: protocols with the same encoding return the same bytes for a batch. */
  readonly encoding: string;
  encode(batch: Batch): EncodedBatch;
  judge(reply: Reply, batch: Batch): Verdict;
}

/** Maximum length of a receiver's message in a report, in characters. */
const MAX_MESSAGE_LENGTH = 200;

/** Describes a response with an error, such as `HTTP 400: out of bounds`. */
export function describeReply({ status, body }: Reply): string {
  const text = new TextDecoder().decode(body.subarray(0, 4 * MAX_MESSAGE_LENGTH));
  const line = isPrintable(text) ? text.trim().split('\n')[0]!.trim().slice(0, MAX_MESSAGE_LENGTH) : '';
  return line === '' ? `HTTP ${status}` : `HTTP ${status}: ${line}`;
}

function isPrintable(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters show that the text is binary.
  return !/[\x00-\x08\x0e-\x1f\ufffd]/.test(text);
}
