/** The first sentence of the page, and the facts behind it. */
export interface Conclusion {
  readonly tone: 'good' | 'warning' | 'unknown';
  /** The subject of the sentence, such as `Best within TTFT p99 ≤ 200 ms:`. */
  readonly label: string;
  readonly sentence: string;
  readonly facts: readonly string[];
}
