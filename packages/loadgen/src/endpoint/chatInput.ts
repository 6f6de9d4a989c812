import type { ChatMessage } from '@org/template';
import { type Fields, toFields, toText } from './responseFields.ts';

/** The input of a request as the chat template of a model sees it. */
export interface ChatInput {
  /** The system message and all messages of the conversation. */
  readonly messages: readonly ChatMessage[];
  /** Texts that the server adds to the prompt in its own way: schemas of tools, and calls that are no messages. */
  readonly toolTexts: readonly string[];
}

/** Types of the parts of a message that are text, in all APIs. */
const TEXT_PARTS: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text']);

/**
 * Reads the messages of a request body of the APIs `chat`, `responses` and `messages`, or of one like them. Contents
 * other than text are left out. Returns undefined if the body has no messages.
 */
export function readChatInput(body: Fields): ChatInput | undefined {
  const items = ['messages', 'input'].flatMap(field => readItems(body[field]));
  if (items.length === 0) return undefined;
  const system = [readText(body.instructions), readText(body.system)].filter(text => text !== '');
  return {
    messages: [
      ...system.map(content => ({ role: 'system', content })),
      ...items.filter(({ role }) => typeof role === 'string').map(toMessage),
    ],
    toolTexts: [...items.flatMap(listToolTexts), ...toList(body.tools).flatMap(listSchemaTexts)].filter(
      text => text !== '',
    ),
  };
}

/** Returns the items of a list of messages; nothing if the list contains other values, such as texts to embed. */
function readItems(value: unknown): Fields[] {
  const items = toList(value);
  return items.some(item => 'role' in item || 'type' in item) ? items : [];
}

function toMessage(item: Fields): ChatMessage {
  const calls = item.tool_calls;
  return {
    role: toText(item.role),
    content: readText(item.content),
    ...(Array.isArray(calls) && calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

/** Returns the text of a message: a text, or the texts of its parts one after the other. */
function readText(content: unknown): string {
  if (!Array.isArray(content)) return toText(content);
  return content
    .map(part =>
      typeof part === 'string' ? part : TEXT_PARTS.has(toFields(part).type) ? toFields(part).text : '',
    )
    .map(toText)
    .join('');
}

/** Lists the texts of calls of tools, and of their results, that are not part of a message. */
function listToolTexts(item: Fields): string[] {
  return [item, ...toList(item.content)].flatMap(({ type, name, input, content, output, ...call }) => {
    switch (type) {
      case 'function_call':
        return [toText(name), toText(call.arguments)];
      case 'function_call_output':
        return [toText(output)];
      case 'tool_use':
        return [toText(name), JSON.stringify(input ?? {})];
      case 'tool_result':
        return [readText(content)];
      default:
        return [];
    }
  });
}

/** Lists the texts of a tool that the model may call: its name, its description and the schema of its parameters. */
function listSchemaTexts(tool: Fields): string[] {
  return [toFields(tool.function), tool].flatMap(({ name, description, ...schemas }) => [
    toText(name),
    toText(description),
    ...[schemas.parameters, schemas.input_schema]
      .filter(schema => typeof schema === 'object' && schema !== null)
      .map(schema => JSON.stringify(schema)),
  ]);
}

function toList(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(item => typeof item === 'object' && item !== null) : [];
}
