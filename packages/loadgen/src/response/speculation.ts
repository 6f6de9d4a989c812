/**
 * The speculative decoding of one request, as vLLM reports it with `--per-request-spec-decode-metrics`. In each step,
 * a draft model proposes tokens; the model accepts some of them and adds one token.
 */
export interface Speculation {
  /** Mean number of tokens per step, including the token that the model adds. */
  readonly meanLength: number;
  /** Accepted draft tokens as a fraction of the proposed ones. */
  readonly acceptanceRate: number;
  /** Number of steps by number of accepted tokens. */
  readonly histogram: readonly number[];
  readonly acceptedTokens: number;
  readonly draftTokens: number;
  readonly steps: number;
  /** Maximum number of draft tokens per step; undefined if the server does not report it. */
  readonly maxDraftTokens: number | undefined;
}

/**
 * Reads `metrics.speculative_decoding` of a response. Returns undefined if it is absent, or if its numbers contradict
 * each other.
 */
export function readSpeculation(metrics: unknown): Speculation | undefined {
  const fields = toObject(toObject(metrics).speculative_decoding);
  const histogram = readHistogram(fields.acceptance_histogram);
  if (!histogram) return undefined;
  const speculation = {
    meanLength: fields.mean_acceptance_length,
    acceptanceRate: fields.draft_acceptance_rate,
    acceptedTokens: fields.num_accepted_draft_tokens,
    draftTokens: fields.num_draft_tokens,
    steps: fields.num_spec_steps,
  };
  if (!Object.values(speculation).every(value => typeof value === 'number' && Number.isFinite(value)))
    return undefined;
  const maxDraftTokens = typeof fields.num_spec_tokens === 'number' ? fields.num_spec_tokens : undefined;
  const result = { ...(speculation as Record<keyof typeof speculation, number>), histogram, maxDraftTokens };
  return isConsistent(result) ? result : undefined;
}

function readHistogram(value: unknown): readonly number[] | undefined {
  const isValid = Array.isArray(value) && value.every(count => Number.isInteger(count) && count >= 0);
  return isValid ? value : undefined;
}

/** Reports whether the histogram has the steps and the accepted tokens that the counts state. */
function isConsistent({
  histogram,
  steps,
  acceptedTokens,
  draftTokens,
  maxDraftTokens,
}: Speculation): boolean {
  const countedSteps = histogram.reduce((sum, count) => sum + count, 0);
  const countedTokens = histogram.reduce((sum, count, accepted) => sum + accepted * count, 0);
  return (
    countedSteps === steps &&
    countedTokens === acceptedTokens &&
    acceptedTokens <= draftTokens &&
    (maxDraftTokens === undefined || histogram.length === maxDraftTokens + 1)
  );
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
