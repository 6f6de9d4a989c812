import type { ProfileMetric } from '@org/formats';
import type { Run } from './run.ts';

/** How often the load generator repeated its prompts. */
export interface RepeatedPrompts {
  readonly requests: number;
  /** Maximum number of different prompts. */
  readonly prompts: number;
  /** Mean number of tokens of a prompt. */
  readonly promptTokens: number;
}

/** Fields of a data set whose prompts are independent of each other, and of which only `entries` repeats prompts. */
const PLAIN_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'type',
  'entries',
  'random_seed',
  'prompts',
  'sampling',
]);

/**
 * Reads from the configuration of the load generator how often it repeated whole prompts. Returns undefined if it did not,
 * or if prompts share only a part, as in conversations.
 */
export function readRepeatedPrompts({ profile }: Pick<Run, 'profile'>): RepeatedPrompts | undefined {
  const { datasets } = (profile?.input_config ?? {}) as { readonly datasets?: unknown };
  const list = (Array.isArray(datasets) ? datasets : []) as readonly Readonly<Record<string, unknown>>[];
  const [dataset] = list;
  if (!profile || !dataset || list.length > 1 || dataset.type !== 'synthetic') return undefined;
  if (Object.keys(dataset).some(field => !PLAIN_FIELDS.has(field))) return undefined;
  const read = (tag: string): number | undefined => (profile[tag] as ProfileMetric | undefined)?.avg;
  const [requests, promptTokens] = [read('request_count'), read('input_sequence_length')];
  const { entries } = dataset;
  if (requests === undefined || promptTokens === undefined || typeof entries !== 'number') return undefined;
  return entries > 0 && entries < requests ? { requests, prompts: entries, promptTokens } : undefined;
}
