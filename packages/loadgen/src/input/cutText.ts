import type { Tokenizer } from '../tokens/tokenizer.ts';

/** Length of the end of a text where it may be cut, in characters: enough for several words. */
const MAX_CUT = 64;

/**
 * Cuts the end of a text, if need be within a word, so that it has `tokens` tokens. `count` is the number of tokens of
 * `text`, at least `tokens`. Only the end is counted again for each position, because a tokenizer needs milliseconds
 * for a long prompt. If no position gives this number of tokens, returns the shortest text that has more.
 */
export function cutText(
  text: string,
  count: number,
  tokens: number,
  tokenizer: Pick<Tokenizer, 'count'>,
): string {
  if (count === tokens) return text;
  const start = Math.max(0, text.lastIndexOf(' ', text.length - MAX_CUT));
  const [head, tail] = [text.slice(0, start), text.slice(start)];
  const expected = tokenizer.count(tail) - (count - tokens);
  let best = text;
  let bestCount = count;
  for (let end = tail.length - 1; end > 0; end--) {
    // A server may ignore a space at the end of a prompt.
    const shorterTail = tail.slice(0, end).replace(/ $/, 's');
    // A token at the border between head and tail may depend on both.
    if (Math.abs(tokenizer.count(shorterTail) - expected) > 1) continue;
    const shorter = head + shorterTail;
    const shorterCount = tokenizer.count(shorter);
    if (shorterCount === tokens) return shorter;
    if (shorterCount > tokens && shorterCount < bestCount) [best, bestCount] = [shorter, shorterCount];
  }
  return best;
}
