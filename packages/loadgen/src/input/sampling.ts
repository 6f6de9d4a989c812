import { Random } from '@org/core';
import type { Conversation, Inputs } from './conversation.ts';
import { InputError } from './inputError.ts';

/**
 * The order of a limited number of conversations. `sequential`: in their own order. `shuffle`: in a random order, which is
 * the same for each pass. `random`: drawn independently, with replacement.
 */
export type Sampling = 'sequential' | 'shuffle' | 'random';

/** Options for the order of conversations. */
export interface FileOptions {
  /** The order of the conversations; `sequential` by default. */
  readonly sampling?: Sampling;
  /** Seed of `shuffle` and `random`; 0 by default. */
  readonly seed?: number;
}

/**
 * Creates inputs from the conversations of a file and their start times in ms. Start times are only used in
 * sequential order, and only if every conversation has one. Throws InputError if there are no conversations, or
 * if the sampling is unknown.
 */
export function createInputs(
  path: string,
  conversations: readonly (() => Conversation)[],
  startsMs: readonly (number | undefined)[],
  options: FileOptions,
): Inputs {
  const size = conversations.length;
  const { sampling = 'sequential' } = options;
  if (size === 0)
    throw new InputError(`${path} contains no conversations; expected at least one line of JSON`);
  const toPosition = createOrder(size, options);
  return {
    size,
    startsMs:
      sampling === 'sequential' && startsMs.every(start => start !== undefined) ? startsMs : undefined,
    getConversation: index => conversations[toPosition(index)]!(),
    getEntry: position => conversations[position]!(),
  };
}

/** Returns a function from the index of a session to the position of its conversation. Throws InputError if the sampling is unknown. */
export function createOrder(
  size: number,
  { sampling = 'sequential', seed = 0 }: FileOptions,
): (index: number) => number {
  const random = new Random(seed).fork('sampling');
  if (sampling === 'random') return index => random.fork(`draw ${index}`).below(size);
  if (sampling === 'sequential') return index => index % size;
  if (sampling !== 'shuffle')
    throw new InputError(`sampling is ${JSON.stringify(sampling)}; expected sequential, shuffle or random`);
  // Fisher-Yates shuffle.
  const order = Array.from({ length: size }, (_, index) => index);
  for (let last = size - 1; last > 0; last--) {
    const swapped = random.below(last + 1);
    [order[last], order[swapped]] = [order[swapped]!, order[last]!];
  }
  return index => order[index % size]!;
}
