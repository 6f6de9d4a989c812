import type { Random } from '@org/core';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { createSnippet } from './codeSnippets.ts';
import { cutText } from './cutText.ts';

/** Number of tokens that the end of a text may have too many before it is cut token by token. */
const MAX_EXCESS = 8;
/** Maximum number of attempts to find the length of a text in characters. */
const MAX_ATTEMPTS = 16;

/** Generates texts as coding agents send them: source code, JSON, stack traces, diffs and output of commands. */
export class CodeGenerator {
  readonly #tokenizer: Tokenizer | undefined;

  constructor(tokenizer?: Tokenizer) {
    this.#tokenizer = tokenizer;
  }

  /** The length of a text may differ by a few tokens from the requested length. */
  get isExact(): boolean {
    return false;
  }

  /** Generates a text of `tokens` tokens, or as close to that length as the tokenizer permits. */
  generate(tokens: number, random: Random): string {
    const tokenizer = this.#tokenizer;
    const count = tokenizer ? (text: string) => tokenizer.count(text) : countWords;
    const text = shorten(fill(tokens, random, count), tokens, count);
    const cut = cutText(text, count(text), tokens, { count });
    return count(cut) === tokens ? cut : findPrefix(cut, tokens, count);
  }
}

/** Maximum number of characters to remove one by one. */
const MAX_REMOVED = 64;

/** Returns the start of a text that has `tokens` tokens, or as few more as possible. Counts the text for each length. */
function findPrefix(text: string, tokens: number, count: Count): string {
  let best = text;
  let bestCount = count(text);
  for (let removed = 1; removed <= Math.min(MAX_REMOVED, text.length - 1); removed++) {
    const prefix = text.slice(0, -removed);
    const prefixCount = count(prefix);
    if (prefixCount === tokens) return prefix;
    if (prefixCount > tokens && prefixCount < bestCount) [best, bestCount] = [prefix, prefixCount];
  }
  return best;
}

type Count = (text: string) => number;

function countWords(text: string): number {
  return text.split(/\s+/).filter(word => word !== '').length;
}

/** Joins snippets to a text of at least `tokens` tokens. */
function fill(tokens: number, random: Random, count: Count): string {
  let text = '';
  for (let missing = tokens; missing > 0; missing = tokens - count(text)) {
    const snippets: string[] = [];
    // A token has about three characters.
    for (let length = 0; length < missing * 3; length += snippets.at(-1)!.length)
      snippets.push(createSnippet(random));
    text += snippets.join('\n');
  }
  return text;
}

/** Shortens a text of too many tokens, until it has at least `tokens`, and few more. */
function shorten(text: string, tokens: number, count: Count): string {
  let [short, shortCount] = [0, 0];
  let [long, longCount] = [text.length, count(text)];
  for (let attempt = 0; attempt < MAX_ATTEMPTS && longCount - tokens > MAX_EXCESS; attempt++) {
    const share = (tokens + MAX_EXCESS / 2 - shortCount) / (longCount - shortCount);
    const length = Math.min(long - 1, Math.max(short + 1, Math.round(short + share * (long - short))));
    const lengthCount = count(text.slice(0, length));
    if (lengthCount < tokens) [short, shortCount] = [length, lengthCount];
    else [long, longCount] = [length, lengthCount];
  }
  return text.slice(0, long);
}
