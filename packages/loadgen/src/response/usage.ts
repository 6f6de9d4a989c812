/** Token counts as the server reports them. */
export interface Usage {
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly totalTokens?: number;
  readonly reasoningTokens?: number;
  /** Prompt tokens that the server found in its cache. */
  readonly cachedTokens?: number;
}

/** Reads the `usage` of an OpenAI-compatible answer; undefined when there is none. Counts that are no numbers are left out. */
export function readUsage(value: unknown): Usage | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const usage = value as Readonly<Record<string, unknown>>;
  const completion = details(usage.completion_tokens_details);
  const prompt = details(usage.prompt_tokens_details);
  return {
    ...count('promptTokens', usage.prompt_tokens),
    ...count('completionTokens', usage.completion_tokens),
    ...count('totalTokens', usage.total_tokens),
    ...count('reasoningTokens', completion.reasoning_tokens ?? usage.reasoning_tokens),
    ...count('cachedTokens', prompt.cached_tokens),
  };
}

function details(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function count(name: keyof Usage, value: unknown): Usage {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? { [name]: value } : {};
}
