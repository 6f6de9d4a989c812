import { InputError } from './inputError.ts';
import {
  checkAlternatives,
  checkFields,
  type Fields,
  readDelay,
  readJsonLines,
  readOptionalNumber,
  readOptionalObject,
  readOptionalObjects,
  readOptionalText,
} from './inputFile.ts';
import { createMessagesTurn, createPayloadTurn, readMessages } from './recordedTurn.ts';
import { type RecordedContent, readHashIds, readOptionalTokens, type TraceEntry } from './traceEntry.ts';

const ENTRY_FIELDS = [
  ...['timestamp', 'input_length', 'output_length', 'hash_ids'],
  ...['text_input', 'messages', 'tools', 'payload', 'extra', 'session_id', 'delay', 'type'],
];

/** Each entry has exactly one of these fields. */
const PROMPT_FIELDS = ['text_input', 'input_length', 'messages', 'payload'];

/**
 * Reads a trace in Mooncake's format (FAST '25): `{"timestamp": ms, "input_length": tokens, "output_length":
 * tokens, "hash_ids": [...]}`. Lines with the same `session_id` are the turns of one conversation: each is sent at its
 * timestamp, or `delay` ms after the previous response. `text_input`, `messages` (with `tools`) or `payload` replace
 * the generated prompt; `extra` adds fields to the request body.
 */
export async function readMooncakeTrace(path: string): Promise<TraceEntry[]> {
  return readJsonLines(path, (line, number) => parseEntry(line, `${path}:${number}`, number));
}

function parseEntry(line: Fields, place: string, number: number): TraceEntry {
  checkFields(line, ENTRY_FIELDS);
  checkAlternatives(line, PROMPT_FIELDS);
  const content = readContent(line);
  const input = readOptionalTokens(line, 'input_length');
  if (input === undefined && content === undefined)
    throw new InputError(
      'missing input_length; expected a number of tokens, or text_input, messages or payload',
    );
  const hashIds = readHashIds(line);
  if (hashIds.length > 0 && content !== undefined)
    throw new InputError('hash_ids require input_length, because they are the blocks of a generated prompt');
  const delayMs = readDelay(line);
  const extra = readOptionalObject(line, 'extra');
  return {
    place,
    timestamp: readOptionalNumber(line, 'timestamp'),
    session: readOptionalText(line, 'session_id') ?? `line-${number}`,
    input,
    output: readOptionalTokens(line, 'output_length'),
    hashIds,
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(content === undefined ? {} : { content }),
    ...(extra === undefined ? {} : { extra }),
  };
}

/** Reads the recorded prompt; undefined if the prompt is generated. */
function readContent(line: Fields): RecordedContent | undefined {
  const tools = readOptionalObjects(line, 'tools');
  const payload = readOptionalObject(line, 'payload');
  const isChat = line.messages !== undefined && line.messages !== null;
  if (tools !== undefined && !isChat) throw new InputError('tools require messages');
  if (payload !== undefined) return createPayloadTurn(payload);
  if (isChat) return createMessagesTurn(readMessages(line), tools);
  const text = readOptionalText(line, 'text_input');
  return text === undefined ? undefined : { text };
}
