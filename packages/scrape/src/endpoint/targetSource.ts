import type { Target } from './target.ts';

/** A source of endpoints that may change during a run, such as a Kubernetes namespace. */
export interface TargetSource {
  /** Kind and place of the source, for messages, such as `kubernetes namespace "llm"`. */
  readonly name: string;
  /**
   * Yields the complete list of the current targets: first when it is known, and again after each change, until
   * `signal` is aborted. Throws if the first list cannot be read. Later failures are passed to `onProblem`, and the
   * last list stays valid.
   */
  watch(signal: AbortSignal, onProblem: (message: string) => void): AsyncIterable<readonly Target[]>;
}
