import type { Random } from '@org/core';
import type { TraceEntry } from './traceEntry.ts';

/** Changes of a trace, by the formulas of AIPerf. */
export interface TraceSynthesis {
  /** Divides timestamps; 1 by default. */
  readonly speedup?: number;
  /** Factor of the number of blocks at the start of prompts that several requests share; 1 by default. */
  readonly prefixFactor?: number;
  /** Number of copies of the shared prefixes; each request has one of them, chosen at random. 1 by default. */
  readonly prefixCopies?: number;
  /** Factor of the length of prompts after the shared prefix; 1 by default. */
  readonly promptFactor?: number;
  /** Factor of the length of responses; 1 by default. */
  readonly outputFactor?: number;
  /** Longest prompt, in tokens: longer ones are left out, and those that became longer are shortened. */
  readonly maxInput?: number;
  /** Longest response to request, in tokens. */
  readonly maxOutput?: number;
}

/** Returns the changed entries of a trace whose hash ids stand for blocks of `blockTokens` tokens. */
export function synthesizeTrace(
  entries: readonly TraceEntry[],
  synthesis: TraceSynthesis,
  blockTokens: number,
  random: Random,
): readonly TraceEntry[] {
  const { maxInput = Number.POSITIVE_INFINITY } = synthesis;
  const kept = entries.filter(({ input = 0 }) => input <= maxInput);
  const prompts = new PromptSynthesis(kept, synthesis, blockTokens);
  return kept.map(entry => {
    const { timestamp, output } = entry;
    return {
      ...entry,
      ...(entry.hashIds.length === 0
        ? {}
        : limitPrompt(prompts.create(entry, random), maxInput, blockTokens)),
      timestamp: timestamp === undefined ? undefined : scaleTime(timestamp, synthesis),
      output: output === undefined ? undefined : scaleOutput(output, synthesis),
    };
  });
}

/** A changed prompt: its length in tokens, and the ids of its blocks. */
interface Prompt {
  readonly input: number;
  readonly hashIds: readonly number[];
}

/** Creates prompts with other hash ids: shared ids remain shared, and all others are new. */
class PromptSynthesis {
  /** Number of each id that several blocks have, from 0. */
  readonly #shared: ReadonlyMap<number, number>;
  readonly #synthesis: TraceSynthesis;
  readonly #blockTokens: number;
  /** Number of ids that each shared id becomes. */
  readonly #stretch: number;
  #nextId: number;

  constructor(entries: readonly TraceEntry[], synthesis: TraceSynthesis, blockTokens: number) {
    this.#shared = findSharedIds(entries);
    this.#synthesis = synthesis;
    this.#blockTokens = blockTokens;
    this.#stretch = Math.max(1, Math.trunc(synthesis.prefixFactor ?? 1));
    this.#nextId = this.#shared.size * this.#stretch;
  }

  create({ input = 0, hashIds }: TraceEntry, random: Random): Prompt {
    const { prefixFactor = 1, promptFactor = 1, prefixCopies = 1 } = this.#synthesis;
    if (prefixFactor === 1 && promptFactor === 1 && prefixCopies === 1) return { input, hashIds };
    const firstOther = hashIds.findIndex(id => !this.#shared.has(id));
    const sharedIds = firstOther === -1 ? hashIds : hashIds.slice(0, firstOther);
    const sharedTokens = Math.min(input, sharedIds.length * this.#blockTokens);
    const prefix = this.#resizePrefix(sharedIds.map(id => this.#shared.get(id)!));
    // The last shared block may be partial.
    const prefixTokens =
      prefix.length === sharedIds.length ? sharedTokens : prefix.length * this.#blockTokens;
    const promptTokens = Math.trunc((input - sharedTokens) * promptFactor);
    const ids = [...prefix, ...this.#createIds(Math.ceil(promptTokens / this.#blockTokens))];
    const copy = random.below(prefixCopies);
    return { input: prefixTokens + promptTokens, hashIds: ids.map(id => id * prefixCopies + copy) };
  }

  #resizePrefix(ids: readonly number[]): number[] {
    const { prefixFactor = 1 } = this.#synthesis;
    if (prefixFactor < 1) return ids.slice(0, Math.max(1, Math.trunc(ids.length * prefixFactor)));
    const stretched = ids.flatMap(id =>
      Array.from({ length: this.#stretch }, (_, index) => id * this.#stretch + index),
    );
    return [...stretched, ...this.#createIds(Math.ceil(ids.length * prefixFactor) - stretched.length)];
  }

  #createIds(count: number): number[] {
    return Array.from({ length: Math.max(0, count) }, () => this.#nextId++);
  }
}

/** Numbers the ids that several blocks of a trace have. */
function findSharedIds(entries: readonly TraceEntry[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { hashIds } of entries) for (const id of hashIds) counts.set(id, (counts.get(id) ?? 0) + 1);
  const shared = [...counts].filter(([, count]) => count > 1);
  return new Map(shared.map(([id], index) => [id, index]));
}

/** Shortens a prompt that is too long. */
function limitPrompt({ input, hashIds }: Prompt, maxInput: number, blockTokens: number): Prompt {
  const length = Math.min(input, maxInput);
  return { input: length, hashIds: hashIds.slice(0, Math.ceil(Math.max(1, length) / blockTokens)) };
}

/** Divides a timestamp. AIPerf leaves out fractions of milliseconds. */
function scaleTime(timestamp: number, { speedup }: TraceSynthesis): number {
  return speedup === undefined ? timestamp : Math.trunc(timestamp / speedup);
}

function scaleOutput(
  output: number,
  { outputFactor = 1, maxOutput = Number.POSITIVE_INFINITY }: TraceSynthesis,
): number {
  return Math.max(1, Math.min(roundHalfToEven(output * outputFactor), maxOutput));
}

/** Rounds as Python does: 2.5 is 2, and 3.5 is 4. */
function roundHalfToEven(value: number): number {
  const rounded = Math.round(value);
  return rounded - value === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}
