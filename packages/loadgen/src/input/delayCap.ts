import type { Conversation, Inputs } from './conversation.ts';

/** Returns inputs whose delays between turns are at most `maxMs`. */
export function capDelays(inputs: Inputs, maxMs: number): Inputs {
  const cap = (conversation: Conversation): Conversation => ({
    ...conversation,
    turns: conversation.turns.map(turn =>
      turn.delayMs === undefined ? turn : { ...turn, delayMs: Math.min(turn.delayMs, maxMs) },
    ),
  });
  const { getEntry } = inputs;
  return {
    ...inputs,
    getConversation: index => cap(inputs.getConversation(index)),
    ...(getEntry && { getEntry: position => cap(getEntry(position)) }),
  };
}
