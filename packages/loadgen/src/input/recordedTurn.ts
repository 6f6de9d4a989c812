import { toFields, toText } from '../endpoint/responseFields.ts';
import type { Turn } from './conversation.ts';
import { InputError } from './inputError.ts';
import { describeValue, type Fields } from './inputFile.ts';

/** Creates a turn that sends a recorded request body unchanged. */
export function createPayloadTurn(payload: Fields): Turn {
  const model = toText(payload.model);
  return { text: readTexts(payload), payload, isComplete: true, ...(model === '' ? {} : { model }) };
}

/** Creates a turn that sends recorded messages of a chat, and the definitions of tools. */
export function createMessagesTurn(
  messages: readonly Fields[],
  tools?: readonly Fields[],
  extra?: Fields,
): Turn {
  return {
    text: readTexts({ messages }),
    messages,
    ...(tools === undefined && extra === undefined ? {} : { extra: { ...(tools && { tools }), ...extra } }),
    isComplete: true,
  };
}

/** Returns the messages in a field. Throws an `InputError` unless it is a list of objects with roles. */
export function readMessages(fields: Fields): readonly Fields[] {
  const { messages } = fields;
  if (!Array.isArray(messages) || messages.length === 0)
    throw new InputError(
      `messages is ${describeValue(messages)}; expected a list of at least one message of a chat`,
    );
  const invalid = messages.find(message => toText(toFields(message).role) === '');
  if (invalid !== undefined)
    throw new InputError(`invalid message ${describeValue(invalid)}; expected an object with a role`);
  return messages as Fields[];
}

/** Returns the texts of a request body, whose tokens are the tokens of the prompt, without the parts of a chat template. */
function readTexts({ system, instructions, messages, prompt, input, inputs, text }: Fields): string {
  return [system, instructions, messages, prompt, input, inputs, text]
    .flatMap(listTexts)
    .filter(part => part !== '')
    .join('\n');
}

/** Returns the texts of a string, a message, a part of a message, or a list of these. */
function listTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(listTexts);
  if (typeof value === 'string') return [value];
  const { content, text } = toFields(value);
  return [content, text].flatMap(part => (part === undefined ? [] : listTexts(part)));
}
