import {
  countsTokens,
  type InputsDescription,
  MissingTokenizerError,
  needsTokenizer,
  type PrepareOptions,
  prepareTokenizer,
} from '@org/loadgen';
import { PlanError } from '../plan/planError.ts';
import type { ProfilePlan } from '../plan/profilePlan.ts';

/** The uses of the tokenizer of a run. A run without any use starts without a tokenizer. */
export interface TokenizerUse {
  /** The tokenizer that determines the prompts; absent if all texts are in a file, or requests have no text. */
  readonly writer?: string;
  /** The tokenizer that counts tokens on the client; absent if only the server counts, or there are no tokens. */
  readonly counter?: string;
}

/**
 * Determines the uses of the tokenizer of a run, and downloads it if it is needed and not on this machine.
 * Throws `PlanError` if it cannot be found.
 */
export async function prepareTokenizers(
  { tokenizer, tokenCount, request }: Pick<ProfilePlan, 'tokenizer' | 'tokenCount' | 'request'>,
  inputs: InputsDescription,
  onDownload?: PrepareOptions['onDownload'],
): Promise<TokenizerUse> {
  const hasTokens = countsTokens(request.endpoint);
  const use = {
    ...(hasTokens && needsTokenizer(inputs) ? { writer: tokenizer } : {}),
    ...(hasTokens && tokenCount !== 'server' ? { counter: tokenizer } : {}),
  };
  if (use.writer !== undefined || use.counter !== undefined)
    await withTokenizerErrors(tokenizer, () =>
      prepareTokenizer(tokenizer, onDownload === undefined ? {} : { onDownload }),
    );
  return use;
}

/** Converts the errors of a tokenizer to `PlanError`. */
export async function withTokenizerErrors<T>(name: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof MissingTokenizerError) throw new PlanError('tokenizer.file', message);
    const prefix = `invalid tokenizer ${JSON.stringify(name)}: `;
    if (!message.startsWith(prefix)) throw new PlanError('tokenizer', message);
    throw new PlanError('tokenizer', message.slice(prefix.length), name);
  }
}
