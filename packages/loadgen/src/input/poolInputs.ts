import { parse } from 'node:path';
import { Random } from '@org/core';
import type { EndpointName } from '../endpoint/endpoint.ts';
import type { Inputs } from './conversation.ts';
import { listFiles } from './fileLines.ts';
import { InputError, withPlace } from './inputError.ts';
import { checkFields, readJsonLines } from './inputFile.ts';
import {
  CONTENT_FIELDS,
  type ContentReader,
  createContentReader,
  createMessage,
  type LineContents,
  readContents,
} from './messageContents.ts';
import { type BatchSizes, createBatches, type Pool } from './poolBatches.ts';
import { createInputs, type FileOptions } from './sampling.ts';
import { drawInteger, type ValueDistribution } from './valueDistribution.ts';

/** Number of conversations that AIPerf draws by default. */
const DEFAULT_ENTRIES = 100;

/** Options of {@link openPoolInputs}. */
export interface PoolOptions extends FileOptions {
  /** Number of distinct conversations to draw; 100 by default. */
  readonly entries?: number;
  /** Maximum response length, in tokens; left to the server by default. */
  readonly outputTokens?: ValueDistribution;
  /** Numbers of contents to draw for each request, independently of the lines of the file; whole lines by default. */
  readonly batchSizes?: BatchSizes;
  /** The API that the contents are sent to; contents that it cannot send are refused. */
  readonly endpoint?: EndpointName;
}

/**
 * Draws prompts at random, with replacement, from a JSONL file (`{"text": ...}` or `{"texts": [...]}`, also with images,
 * audio clips and videos). Each file of a folder is a pool; a request consists of one line of each pool, in the order of
 * the file names, which also name texts without a name. With batch sizes, a request consists of single contents instead of
 * lines. Rejects with the file and line number if a line is invalid.
 */
export async function openPoolInputs(path: string, options: PoolOptions = {}): Promise<Inputs> {
  const { entries = DEFAULT_ENTRIES, seed = 0, outputTokens, endpoint, batchSizes = {} } = options;
  const reader = createContentReader(endpoint);
  const pools = await readPools(path, reader);
  const drawBatch = withPlace(path, () => createBatches(pools, batchSizes));
  const random = new Random(seed).fork('pool');
  const conversations = Array.from({ length: entries }, (_, index) => () => {
    const draw = random.fork(`${index}`);
    const lines = pools.map(pool => pool.lines[draw.below(pool.lines.length)]!);
    const limit = outputTokens && { maxTokens: drawInteger(outputTokens, 1, draw) };
    const message = drawBatch
      ? withPlace(path, () => createMessage([drawBatch(draw)], reader.endpoint))
      : withPlace(lines[0]!.place, () => createMessage(lines, reader.endpoint));
    return { id: `pool-${index}`, turns: [{ ...message, ...limit }] };
  });
  // Lines that do not form a request must be found before the load starts.
  for (const create of conversations) create();
  return createInputs(
    path,
    conversations,
    conversations.map(() => undefined),
    options,
  );
}

/** A file of a pool whose lines have their places. */
interface PoolFile extends Pool {
  /** The place of a line is its file and number, as in `pool.jsonl:3`. */
  readonly lines: readonly (LineContents & { readonly place: string })[];
}

/** Reads the lines of each file that is not empty. */
async function readPools(path: string, reader: ContentReader): Promise<readonly PoolFile[]> {
  const pools: PoolFile[] = [];
  for (const file of await listFiles(path, '')) {
    const { name } = parse(file.replace(/\.gz$/, ''));
    const lines = await readJsonLines(file, (line, number) => {
      checkFields(line, [...CONTENT_FIELDS, 'type']);
      return { ...readContents(line, reader, name), place: `${file}:${number}` };
    });
    if (lines.length > 0) pools.push({ name, lines });
  }
  if (pools.length > 0) return pools;
  throw new InputError(`${path} contains no prompts; expected at least one line of JSON`);
}
