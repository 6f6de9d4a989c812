import { basename } from 'node:path';
import type { EndpointName } from '../endpoint/endpoint.ts';
import type { Conversation, Inputs } from './conversation.ts';
import { listFiles } from './fileLines.ts';
import { InputError, withPlace } from './inputError.ts';
import { type Fields, isObject, parseJsonObject, readJsonLines, readOptionalText } from './inputFile.ts';
import { readJsonElements } from './jsonElements.ts';
import { createPayloadTurn, readMessages } from './recordedTurn.ts';
import { createInputs, type FileOptions } from './sampling.ts';

/** Options of {@link openPayloadInputs}. */
export interface PayloadOptions extends FileOptions {
  /** The API that the bodies are sent to. Only bodies for `raw` may lack the messages of a chat. */
  readonly endpoint?: EndpointName;
}

/**
 * Reads recorded request bodies from a JSONL file, one on each line. Each line is a conversation of one
 * turn; in a folder, each `.jsonl` file is a conversation, and its lines are the turns. The bodies are sent
 * unchanged. Rejects with the file and line number if a line is invalid.
 */
export async function openPayloadInputs(path: string, options: PayloadOptions = {}): Promise<Inputs> {
  const files = await listFiles(path, '.jsonl');
  const isFolder = files[0] !== path;
  const conversations: Conversation[] = [];
  for (const file of files) {
    const turns = await readJsonLines(file, line => {
      if (options.endpoint !== 'raw') readMessages(line);
      return createPayloadTurn(line);
    });
    if (isFolder && turns.length > 0) conversations.push({ id: basename(file, '.jsonl'), turns });
    if (!isFolder)
      conversations.push(...turns.map((turn, index) => ({ id: `payload-${index}`, turns: [turn] })));
  }
  return createFixedInputs(path, conversations, options);
}

/**
 * Reads recorded request bodies from an `inputs.json` of AIPerf or Servelens: a list `data` of objects with a
 * `session_id` and a list `payloads`, the bodies of its turns. The bodies are sent unchanged. Rejects with the file
 * and line number if a session is invalid.
 */
export async function openInputsJson(path: string, options: FileOptions = {}): Promise<Inputs> {
  const conversations = new Map<string, Conversation>();
  for await (const { text, line } of readJsonElements(path)) {
    withPlace(`${path}:${line}`, () => {
      const conversation = parseSession(parseJsonObject(text, 'the session'));
      if (conversations.has(conversation.id))
        throw new InputError(
          `session_id ${JSON.stringify(conversation.id)} is used more than once; expected a different one for each session`,
        );
      conversations.set(conversation.id, conversation);
    });
  }
  return createFixedInputs(path, [...conversations.values()], options);
}

function parseSession(fields: Fields): Conversation {
  const id = readOptionalText(fields, 'session_id');
  const { payloads } = fields;
  if (id === undefined) throw new InputError('missing session_id; expected a string');
  if (!Array.isArray(payloads) || payloads.length === 0 || !payloads.every(isObject))
    throw new InputError('missing payloads; expected a list of at least one request body');
  return { id, turns: payloads.map(createPayloadTurn) };
}

/** Creates inputs from conversations without timestamps. */
export function createFixedInputs(
  path: string,
  conversations: readonly Conversation[],
  options: FileOptions,
): Inputs {
  return createInputs(
    path,
    conversations.map(conversation => () => conversation),
    conversations.map(() => undefined),
    options,
  );
}
