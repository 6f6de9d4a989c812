/** Token counts reported by the server. */
export interface Usage {
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly totalTokens?: number;
  readonly reasoningTokens?: number;
  /** Prompt tokens served from the prefix cache. */
  readonly cachedTokens?: number;
}

/** Reads `usage` from an OpenAI-compatible response; undefined if it is not an object. Invalid counts are omitted. */
export function readUsage(value: unknown): Usage | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const usage = value as Readonly<Record<string, unknown>>;
  const completion = readDetails(usage.completion_tokens_details);
  const prompt = readDetails(usage.prompt_tokens_details);
  return {
    ...readCount('promptTokens', usage.prompt_tokens),
    ...readCount('completionTokens', usage.completion_tokens),
    ...readCount('totalTokens', usage.total_tokens),
    ...readCount('reasoningTokens', completion.reasoning_tokens ?? usage.reasoning_tokens),
    ...readCount('cachedTokens', prompt.cached_tokens),
  };
}

function readDetails(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function readCount(name: keyof Usage, value: unknown): Usage {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? { [name]: value } : {};
}
