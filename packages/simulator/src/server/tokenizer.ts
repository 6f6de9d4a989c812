/**
 * Pattern of an approximate tokenizer: up to six letters or digits, or one other character, form a token
 * together with the preceding whitespace. For English text, counts are close to those of real tokenizers.
 */
const TOKEN_PATTERN = /\s*(?:\w{1,6}|[^\w\s])|\s+/gu;

/** Counts the tokens of a text. */
export function countTokens(text: string): number {
  return text.match(TOKEN_PATTERN)?.length ?? 0;
}

/** Vocabulary of generated text. Each word is one token together with its leading space. */
const WORDS = (
  'the batch waits while the cache fills and a step runs then tokens come one by one until the queue is empty ' +
  'so each slot holds some block of keys that decode reads again before more work can start'
).split(' ');

/** Returns token `index` of a response; different `salt` values result in different responses. */
export function getTokenText(index: number, salt: number): string {
  const word = WORDS[(index * 7 + salt * 13 + Math.imul(index, index)) % WORDS.length]!;
  return index === 0 ? word : ` ${word}`;
}

/** Returns a response of `length` tokens. */
export function createResponseText(length: number, salt: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += getTokenText(i, salt);
  return text;
}
