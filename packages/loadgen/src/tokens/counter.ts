import type { ChatInput } from '../endpoint/chatInput.ts';
import { PIECE_REASONING } from '../response/responseContent.ts';
import type { ChatCount, ChatCounter } from './chatTokens.ts';
import type { Tokenizer } from './tokenizer.ts';

/** The texts of one request to count tokens in. */
export interface CountJob {
  /** Prompt texts; each is counted separately. */
  readonly inputs: readonly string[];
  /** The messages of the request, to count them with the chat template; absent if this is not wanted. */
  readonly chat?: ChatInput;
  /** Pieces of the response. */
  readonly pieces: readonly string[];
  /** Kind of each piece: `PIECE_OUTPUT`, `PIECE_REASONING` or `PIECE_OUTPUT_SAME_CHUNK`. */
  readonly kinds: Uint8Array;
}

/** Token counts of one request. */
export interface CountResult {
  /** Sum over the prompt texts. */
  readonly input: number;
  readonly output: number;
  readonly reasoning: number;
  /** Tokens of each piece, counted separately. */
  readonly pieces: Uint32Array;
  /** The tokens of all messages with the chat template, if the job has messages. */
  readonly chat?: ChatCount;
}

/** Counts tokens in the background. Results arrive in the order of the jobs. */
export interface TokenCounter {
  readonly name: string;
  count(job: CountJob): Promise<CountResult>;
  /** Finishes the pending jobs and releases the counter's resources. */
  close(): Promise<void>;
}

/** Counts the tokens of all texts of a job. `countChat` counts its messages. */
export function countTokens(
  tokenizer: Tokenizer,
  { inputs, pieces, kinds, chat }: CountJob,
  countChat?: ChatCounter,
): CountResult {
  const join = (isReasoning: boolean): string =>
    pieces.filter((_, index) => (kinds[index] === PIECE_REASONING) === isReasoning).join('');
  return {
    input: inputs.reduce((sum, text) => sum + tokenizer.count(text), 0),
    output: tokenizer.count(join(false)),
    reasoning: tokenizer.count(join(true)),
    pieces: Uint32Array.from(pieces, piece => tokenizer.count(piece)),
    ...(chat && countChat ? { chat: countChat(chat) } : {}),
  };
}
