import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Output, ProfileRecord } from '@org/formats';
import { splitLines } from '@org/formats/read';
import { describeWriteError, streamOutputsJson, type WriteResult, writeFileAtomic } from '@org/formats/write';
import type { RequestRecord } from '@org/loadgen';
import { ProgressReporter } from '../export/exportProgress.ts';
import type { ProfilePaths } from './profilePaths.ts';
import { toClientTokens } from './tokenSource.ts';

/** The metrics of a request in outputs.json, as in AIPerf. */
const OUTPUT_METRICS: readonly string[] = [
  'input_sequence_length',
  'output_token_count',
  'output_sequence_length',
  'request_latency',
  'time_to_first_token',
  'inter_token_latency',
];

/** The output of one request, with the fields of its line that outputs.json needs. Timestamps are texts. */
interface Fragment {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly metrics: ProfileRecord['metrics'];
  readonly text: string | null;
}

/** Formats the output of a request as a line of output_fragments.jsonl. `redact` removes secrets from the text. */
export function formatFragment(
  { text }: RequestRecord,
  { metadata, metrics }: ProfileRecord,
  redact: (text: string) => string,
): string {
  const { request_start_ns: startNs, request_end_ns: endNs } = metadata;
  const fragment: Fragment = {
    metadata: { ...metadata, request_start_ns: String(startNs), request_end_ns: String(endNs) },
    metrics: Object.fromEntries(Object.entries(metrics).filter(([tag]) => OUTPUT_METRICS.includes(tag))),
    text: text ? redact(text.reasoning + text.output) || null : null,
  };
  return JSON.stringify(fragment, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

/**
 * Writes outputs.json from the fragments of the requests, ordered by session and turn, and removes the fragments.
 * `usesClientTokens` is true if the metrics of the run use the client's token counts.
 */
export async function writeOutputs(
  { outputFragments, outputs }: Pick<ProfilePaths, 'outputFragments' | 'outputs'>,
  usesClientTokens: boolean,
): Promise<WriteResult> {
  const file = openSync(outputFragments, 'r');
  try {
    const positions = await listPositions(outputFragments);
    const data = readOutputs(file, positions, usesClientTokens);
    const result = await writeFileAtomic(
      outputs,
      new ProgressReporter().pauseBetween(streamOutputsJson(data)),
    );
    if (result.ok) await rm(outputFragments, { force: true });
    return result;
  } catch (error) {
    const failed = describeWriteError(outputs, error);
    if (!failed) throw error;
    return failed;
  } finally {
    closeSync(file);
  }
}

/** The place of a fragment in its file, in bytes, and its place in outputs.json. */
interface Position {
  readonly offset: number;
  readonly length: number;
  readonly session: number;
  readonly turn: number;
}

/** Lists the fragments in the order of outputs.json. Skips a last line that is incomplete. */
async function listPositions(path: string): Promise<Position[]> {
  const positions: Position[] = [];
  let offset = 0;
  for await (const { bytes, hasLineFeed } of splitLines(createReadStream(path))) {
    if (!hasLineFeed) break;
    const { metadata } = parseFragment(bytes);
    const { session_num: session, turn_index: turn } = metadata as {
      session_num: number;
      turn_index: number;
    };
    positions.push({ offset, length: bytes.length, session, turn });
    offset += bytes.length + 1;
  }
  return positions.sort((a, b) => a.session - b.session || a.turn - b.turn);
}

/** Reads the fragments one by one, because all texts together may not fit in memory. */
function* readOutputs(
  file: number,
  positions: readonly Position[],
  usesClientTokens: boolean,
): Generator<Output> {
  for (const { offset, length } of positions) {
    const bytes = Buffer.alloc(length);
    readSync(file, bytes, 0, length, offset);
    yield toOutput(parseFragment(bytes), usesClientTokens);
  }
}

function parseFragment(bytes: Uint8Array): Fragment {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()) as Fragment;
}

function toOutput({ metadata, metrics, text }: Fragment, usesClientTokens: boolean): Output {
  const line = { metadata, metrics } as unknown as ProfileRecord;
  const { metrics: blocks } = usesClientTokens ? toClientTokens(line) : line;
  return {
    session_num: line.metadata.session_num,
    conversation_id: line.metadata.conversation_id ?? null,
    turn_index: line.metadata.turn_index ?? null,
    x_request_id: line.metadata.x_request_id ?? null,
    request_start_ns: BigInt(line.metadata.request_start_ns),
    request_end_ns: BigInt(line.metadata.request_end_ns),
    metrics: Object.fromEntries(
      Object.entries(blocks).flatMap(([tag, { value }]) => (typeof value === 'number' ? [[tag, value]] : [])),
    ),
    response_text: text,
  };
}
