/** Counts the tokens of texts. */
export interface Tokenizer {
  /** Name written to exports: `o200k_base`, or the path of a tokenizer.json. */
  readonly name: string;
  /** Returns the number of tokens of a text, without special tokens that a server adds. */
  count(text: string): number;
}
