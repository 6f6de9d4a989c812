import type { Conversation, Inputs } from './conversation.ts';

/** Returns inputs whose conversations all start with a system message; it precedes the one that they have. */
export function prependSystemPrompt(inputs: Inputs, prompt: string): Inputs {
  const prepend = (conversation: Conversation): Conversation => ({
    ...conversation,
    system: conversation.system === undefined ? prompt : `${prompt}\n${conversation.system}`,
  });
  const { getEntry } = inputs;
  return {
    ...inputs,
    getConversation: index => prepend(inputs.getConversation(index)),
    ...(getEntry && { getEntry: position => prepend(getEntry(position)) }),
  };
}
