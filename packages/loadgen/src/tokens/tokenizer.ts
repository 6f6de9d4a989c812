/** Counts tokens of texts. */
export interface Tokenizer {
  /** What counted, for exports: `o200k_base`, or the path of a tokenizer.json. */
  readonly name: string;
  /** Tokens of a text, special ones that a server adds not counted. */
  count(text: string): number;
}
