import { toFields } from '../endpoint/responseFields.ts';
import { listFiles } from './fileLines.ts';
import { InputError } from './inputError.ts';
import {
  describeValue,
  type Fields,
  parseJsonObject,
  readJsonLines,
  readOptionalObject,
  readOptionalObjects,
  readOptionalText,
} from './inputFile.ts';
import { createMessagesTurn, readMessages } from './recordedTurn.ts';
import { readOptionalTokens, type TraceEntry } from './traceEntry.ts';

/**
 * Reads requests that Amazon SageMaker Data Capture has recorded: JSONL with `captureData` and `eventMetadata`, in a
 * file or in the files of a folder and its subfolders. The messages of each request are sent at their time after the
 * first one. Only requests of chats can be read.
 */
export async function readSageMakerTrace(path: string): Promise<TraceEntry[]> {
  const entries: (TraceEntry & { readonly timestamp: number })[] = [];
  for (const file of await listFiles(path, '.jsonl', { recursive: true }))
    for (const entry of await readJsonLines(file, (line, number) => parseCapture(line, `${file}:${number}`)))
      entries.push(entry);
  entries.sort((a, b) => a.timestamp - b.timestamp);
  const originMs = entries[0]?.timestamp ?? 0;
  return entries.map(entry => ({ ...entry, timestamp: entry.timestamp - originMs }));
}

function parseCapture(line: Fields, place: string): TraceEntry & { readonly timestamp: number } {
  const event = readOptionalObject(line, 'eventMetadata') ?? {};
  const capture = readOptionalObject(line, 'captureData') ?? {};
  const request = decodePayload(capture, 'endpointInput');
  if (request === undefined)
    throw new InputError('missing captureData.endpointInput with JSON or BASE64 data');
  const { usage } = decodePayload(capture, 'endpointOutput') ?? {};
  return {
    place,
    timestamp: readTime(event),
    session: readOptionalText(event, 'eventId') ?? place,
    input: readOptionalTokens(toFields(usage), 'prompt_tokens'),
    output: readOptionalTokens(request, 'max_tokens') ?? readOptionalTokens(request, 'max_completion_tokens'),
    hashIds: [],
    content: createMessagesTurn(readMessages(request), readOptionalObjects(request, 'tools')),
  };
}

/** Returns the time of a request, in ms since 1970. */
function readTime(event: Fields): number {
  const text = readOptionalText(event, 'inferenceTime');
  // A date without an offset is a time of the same zone as all others.
  const timeMs = text === undefined ? Number.NaN : Date.parse(text);
  if (Number.isFinite(timeMs)) return timeMs;
  throw new InputError(
    `eventMetadata.inferenceTime is ${describeValue(event.inferenceTime)}; expected a time such as 2026-04-29T00:03:18Z`,
  );
}

/** Decodes a recorded body; undefined if it is absent or not JSON. */
function decodePayload(capture: Fields, name: string): Fields | undefined {
  const { data, encoding = 'BASE64' } = readOptionalObject(capture, name) ?? {};
  if (typeof data !== 'string') return undefined;
  if (encoding === 'JSON') return parseJsonObject(data, `captureData.${name}`);
  if (encoding === 'BASE64')
    return parseJsonObject(Buffer.from(data, 'base64').toString(), `captureData.${name}`);
  return undefined;
}
