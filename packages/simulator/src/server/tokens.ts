/**
 * A tokenizer in the loose sense: a run of up to six letters or digits, with the blanks before it, is a token,
 * and so is any other sign. English text comes out at roughly the length that real tokenizers give it.
 */
const tokenPattern = /\s*(?:\w{1,6}|[^\w\s])|\s+/gu;

/** Number of tokens in a text. */
export function countTokens(text: string): number {
  return text.match(tokenPattern)?.length ?? 0;
}

/** What the model can say. Each word is one token by the rule above, with the blank in front of it. */
const words = (
  'the batch waits while the cache fills and a step runs then tokens come one by one until the queue is empty ' +
  'so each slot holds some block of keys that decode reads again before more work can start'
).split(' ');

/** Text of the `index`-th token of an answer. `salt` makes answers differ. */
export function tokenText(index: number, salt: number): string {
  const word = words[(index * 7 + salt * 13 + Math.imul(index, index)) % words.length]!;
  return index === 0 ? word : ` ${word}`;
}

/** Text of an answer of `length` tokens. */
export function answerText(length: number, salt: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += tokenText(i, salt);
  return text;
}
