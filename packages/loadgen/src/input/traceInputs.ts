import { Random } from '@org/core';
import { readBailianTrace } from './bailianTrace.ts';
import { type BasetenOptions, readBasetenTrace } from './basetenTrace.ts';
import { readBurstGptTrace } from './burstGptTrace.ts';
import type { Conversation, Inputs, Turn } from './conversation.ts';
import type { TraceType } from './datasetType.ts';
import { InputError } from './inputError.ts';
import { checkFirstTurn } from './inputFile.ts';
import { readMooncakeTrace } from './mooncakeTrace.ts';
import { readSageMakerTrace } from './sageMakerTrace.ts';
import { createInputs, type FileOptions } from './sampling.ts';
import { groupSessions, type TraceEntry } from './traceEntry.ts';
import { replayTrace, selectSessions, type TraceReplay } from './traceReplay.ts';
import { synthesizeTrace, type TraceSynthesis } from './traceSynthesis.ts';
import { DEFAULT_BLOCK_TOKENS, TraceText, type TraceTextOptions } from './traceText.ts';
import { drawInteger, type ValueDistribution } from './valueDistribution.ts';

/** Options of {@link openTraceInputs}. */
export interface TraceOptions extends FileOptions, TraceTextOptions {
  /** Format of the file; `mooncake_trace` by default. */
  readonly type?: TraceType;
  /** Changes of the entries. */
  readonly synthesis?: TraceSynthesis;
  /** The replay of a `baseten_trace`; other formats have none. */
  readonly replay?: TraceReplay;
  /** Start of the schedule, as a timestamp of the trace in ms; by default, the first timestamp. */
  readonly startMs?: number;
  /** End of the schedule, as a timestamp of the trace in ms, inclusive. */
  readonly endMs?: number;
  /** Maximum response length of requests without one, in tokens; left to the server by default. */
  readonly outputTokens?: ValueDistribution;
}

/**
 * Reads a trace: recorded times and lengths of requests, and in some formats their contents. Each hash id stands for
 * the same text wherever it occurs, so that the server's prefix cache hits as often as in the original workload; text
 * after the last block is unique. The turns of a conversation are sent at their timestamps, or after a delay, and
 * never before the previous response. Rejects with the file and line number if an entry is invalid.
 */
export async function openTraceInputs(path: string, options: TraceOptions = {}): Promise<Inputs> {
  const { type = 'mooncake_trace', startMs = 0, endMs = Number.POSITIVE_INFINITY } = options;
  const texts = new TraceText({ blockTokens: findBlockTokens(type), ...options });
  const replay = type === 'baseten_trace' ? (options.replay ?? {}) : undefined;
  const entries = await readEntries(path, type, replay, options.seed);
  for (const entry of entries) checkBlocks(entry, texts.blockTokens);
  for (const [first] of groupSessions(entries)) checkFirstTurn(first!.place, first!.delayMs);
  const selected = entries.filter(({ timestamp: at }) => at === undefined || (at >= startMs && at <= endMs));
  if (selected.length === 0 && entries.length > 0) throw createEmptyRangeError(path, entries, startMs, endMs);
  const changed = changeEntries(path, selected, options, texts.blockTokens, replay);
  const firstMs = changed.reduce(
    (min, { timestamp }) => Math.min(min, timestamp ?? min),
    Number.POSITIVE_INFINITY,
  );
  const originMs =
    options.startMs === undefined
      ? firstMs
      : options.startMs / (options.synthesis?.speedup ?? replay?.speedup ?? 1);
  const draw = createLengthDraw(options);
  const sessions = groupSessions(changed).sort((a, b) => (a[0]!.timestamp ?? 0) - (b[0]!.timestamp ?? 0));
  return createInputs(
    path,
    // Prompts are long, so they are generated only when needed.
    sessions.map(session => () => createConversation(session, texts, originMs, draw)),
    sessions.map(([entry]) => (entry!.timestamp === undefined ? undefined : entry!.timestamp - originMs)),
    options,
  );
}

/** Draws the response length of a turn, the same in each pass; undefined leaves it to the server. */
type LengthDraw = (key: string) => number | undefined;

function createLengthDraw({ outputTokens, seed = 0 }: TraceOptions): LengthDraw {
  if (outputTokens === undefined) return () => undefined;
  const random = new Random(seed).fork('output lengths');
  return key => drawInteger(outputTokens, 1, random.fork(key));
}

function createEmptyRangeError(
  path: string,
  entries: readonly TraceEntry[],
  startMs: number,
  endMs: number,
): InputError {
  const times = entries.flatMap(({ timestamp }) => timestamp ?? []);
  const [min, max] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
  const range = Number.isFinite(endMs) ? `from ${startMs} to ${endMs} ms` : `from ${startMs} ms`;
  return new InputError(`${path} has no entries ${range}; its timestamps are from ${min} to ${max} ms`);
}

/** Reads the entries of each format. */
const READERS: Readonly<Record<TraceType, (path: string, options: BasetenOptions) => Promise<TraceEntry[]>>> =
  {
    mooncake_trace: readMooncakeTrace,
    bailian_trace: readBailianTrace,
    burst_gpt_trace: readBurstGptTrace,
    baseten_trace: readBasetenTrace,
    sagemaker_data_capture: readSageMakerTrace,
  };

/** Reads the entries of a trace. Rejects with the file and line number if an entry is invalid. */
export async function readTrace(
  path: string,
  type: TraceType,
  options: BasetenOptions = {},
): Promise<TraceEntry[]> {
  return READERS[type](path, options);
}

/** Reads the entries that a run replays. */
async function readEntries(
  path: string,
  type: TraceType,
  replay: TraceReplay | undefined,
  seed = 0,
): Promise<readonly TraceEntry[]> {
  const entries = await readTrace(path, type, replay);
  return replay === undefined ? entries : selectSessions(entries, replay, new Random(seed).fork('sessions'));
}

/** Changes the entries of a trace. Throws an `InputError` if none is left. */
function changeEntries(
  path: string,
  entries: readonly TraceEntry[],
  { synthesis, seed = 0 }: TraceOptions,
  blockTokens: number,
  replay: TraceReplay | undefined,
): readonly TraceEntry[] {
  const changed =
    synthesis === undefined
      ? entries
      : synthesizeTrace(entries, synthesis, blockTokens, new Random(seed).fork('synthesis'));
  if (changed.length > 0 || entries.length === 0)
    return replay === undefined ? changed : replayTrace(changed, replay);
  throw new InputError(
    `${path} has no prompts of at most ${synthesis?.maxInput} tokens; the shortest has ${entries.reduce((min, { input = 0 }) => Math.min(min, input), Number.POSITIVE_INFINITY)}`,
  );
}

/** Block size of each format whose blocks differ from those of Mooncake, in tokens. */
const BLOCK_TOKENS: Readonly<Partial<Record<TraceType, number>>> = {
  bailian_trace: 16,
  baseten_trace: 64,
};

/** Returns the number of tokens per block of a format. */
export function findBlockTokens(type: TraceType): number {
  return BLOCK_TOKENS[type] ?? DEFAULT_BLOCK_TOKENS;
}

/** Throws an `InputError` if a prompt has more blocks than tokens for them. */
function checkBlocks({ input, hashIds, place, content }: TraceEntry, blockTokens: number): void {
  if (content !== undefined) return;
  const tokens = input ?? 0;
  const maxBlocks = Math.ceil(Math.max(1, tokens) / blockTokens);
  if (hashIds.length > maxBlocks)
    throw new InputError(
      `${place}: hash_ids has ${hashIds.length} blocks of ${blockTokens} tokens, but input_length is ${tokens}; expected at most ${maxBlocks}`,
    );
}

function createConversation(
  entries: readonly TraceEntry[],
  texts: TraceText,
  originMs: number,
  draw: LengthDraw,
): Conversation {
  const id = entries[0]!.session;
  const turns = entries.map((entry, index) =>
    createTurn(entry, index === 0 ? {} : readTurnTiming(entry, originMs), texts, draw, `${id} ${index}`),
  );
  return { id, turns };
}

/** Returns the send time of a turn after the first: a delay, or a timestamp relative to the start of the schedule. */
function readTurnTiming(
  { delayMs, timestamp }: TraceEntry,
  originMs: number,
): Pick<Turn, 'delayMs' | 'atMs'> {
  if (delayMs !== undefined) return { delayMs };
  return timestamp === undefined ? {} : { atMs: Math.max(0, timestamp - originMs) };
}

function createTurn(
  entry: TraceEntry,
  timing: Pick<Turn, 'delayMs' | 'atMs'>,
  texts: TraceText,
  draw: LengthDraw,
  key: string,
): Turn {
  const { content, input = 0, hashIds } = entry;
  // A recorded body is sent unchanged, with its length.
  const output = entry.output ?? (content?.payload === undefined ? draw(key) : undefined);
  const extra = entry.forcesLength ? { min_tokens: output, ...entry.extra } : entry.extra;
  return {
    ...(content ?? { text: texts.generate(input, hashIds, key) }),
    ...(content === undefined && texts.isExact ? { tokens: Math.max(1, input) } : {}),
    ...(output === undefined ? {} : { maxTokens: Math.max(1, output) }),
    ...(extra === undefined ? {} : { extra: { ...content?.extra, ...extra } }),
    ...timing,
  };
}
