import { totalmem } from 'node:os';
import { formatBytes, formatCount } from '@org/core';
import { findMaxInFlight, type PhaseOptions } from '@org/loadgen';
import type { InputPlan } from '@org/run';
import { UsageError } from '@org/terminal';
import type { LoadPhases } from './loadPhases.ts';

/** Memory for one token of a prompt in flight: its text, the message, and the body of the request, in bytes. */
const BYTES_PER_TOKEN = 24;
/** Maximum fraction of the machine's memory for prompts in flight. */
const MAX_FRACTION = 0.5;

/** Throws `UsageError` if the synthetic prompts of all requests in flight do not fit into memory. */
export function checkPromptMemory(
  {
    inputTokens,
    lengths,
    range,
    turns,
    prefixes,
    sharedSystemTokens = 0,
    userContextTokens = 0,
    file,
  }: InputPlan,
  { profiling, warmup }: LoadPhases,
  memory: number = totalmem(),
): void {
  if (file !== undefined) return;
  const inputs = lengths?.map(({ input }) => input) ?? [inputTokens];
  const turnTokens =
    range?.input.max ??
    Math.max(
      ...inputs.map(({ mean, stddev = 0, max = Number.POSITIVE_INFINITY }) => Math.min(max, mean + stddev)),
    );
  const tokens =
    (prefixes?.tokens ?? 0) + sharedSystemTokens + userContextTokens + (turns?.mean ?? 1) * turnTokens;
  const slots = Math.max(countSlots(profiling), warmup ? countSlots(warmup) : 0);
  const bytes = slots * tokens * BYTES_PER_TOKEN;
  if (bytes <= MAX_FRACTION * memory) return;
  throw new UsageError(
    `the prompts of ${formatCount(slots, 'concurrent request')} with ${formatCount(Math.round(tokens), 'token')} each need about ${formatBytes(bytes)} of memory; expected at most ${formatBytes(MAX_FRACTION * memory)}, half of the memory of this machine; reduce --concurrency, --isl or --conversation-turn-mean`,
  );
}

/** Returns the number of requests in flight; 1 if it is not limited. */
function countSlots({ concurrency = 1, ...limits }: PhaseOptions): number {
  return findMaxInFlight({ concurrency, ...limits });
}
