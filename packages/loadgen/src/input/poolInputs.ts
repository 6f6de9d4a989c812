import { Random } from '@org/core';
import type { Inputs, Turn } from './conversation.ts';
import { listFiles } from './fileLines.ts';
import { InputError } from './inputError.ts';
import {
  checkAlternatives,
  checkFields,
  describeValue,
  type Fields,
  isObject,
  readJsonLines,
  readOptionalText,
} from './inputFile.ts';
import { drawInteger, type NormalDistribution } from './normalDistribution.ts';
import { createInputs, type FileOptions } from './sampling.ts';

/** Number of conversations that AIPerf draws by default. */
const DEFAULT_ENTRIES = 100;

/** Options of {@link openPoolInputs}. */
export interface PoolOptions extends FileOptions {
  /** Number of distinct conversations to draw; 100 by default. */
  readonly entries?: number;
  /** Maximum response length, in tokens; left to the server by default. */
  readonly outputTokens?: NormalDistribution;
}

/**
 * Draws prompts at random, with replacement, from a JSONL file (`{"text": ...}` or `{"texts": [...]}`). Each file of a
 * folder is a pool; a request consists of one line of each pool, in the order of the file names. Rejects with the
 * file and line number if a line is invalid.
 */
export async function openPoolInputs(path: string, options: PoolOptions = {}): Promise<Inputs> {
  const { entries = DEFAULT_ENTRIES, seed = 0, outputTokens } = options;
  const pools = await readPools(path);
  const random = new Random(seed).fork('pool');
  const conversations = Array.from({ length: entries }, (_, index) => () => {
    const draw = random.fork(`${index}`);
    const texts = pools.flatMap(pool => pool[draw.below(pool.length)]!);
    const limit = outputTokens && { maxTokens: drawInteger(outputTokens, 1, draw) };
    return { id: `pool-${index}`, turns: [{ ...createTextsTurn(texts), ...limit }] };
  });
  return createInputs(
    path,
    conversations,
    conversations.map(() => undefined),
    options,
  );
}

/** Reads the lines of each file that is not empty. */
async function readPools(path: string): Promise<readonly (readonly string[])[][]> {
  const pools: (readonly string[])[][] = [];
  for (const file of await listFiles(path, '')) {
    const pool = await readJsonLines(file, parseTexts);
    if (pool.length > 0) pools.push(pool);
  }
  if (pools.length > 0) return pools;
  throw new InputError(`${path} contains no prompts; expected at least one line of JSON`);
}

/** Creates a turn whose message has several parts, if there are several texts. */
function createTextsTurn(texts: readonly string[]): Turn {
  if (texts.length === 1) return { text: texts[0]! };
  const content = texts.map(text => ({ type: 'text', text }));
  return { text: texts.join('\n'), messages: [{ role: 'user', content }] };
}

function parseTexts(line: Fields): string[] {
  checkFields(line, ['text', 'texts', 'type']);
  checkAlternatives(line, ['text', 'texts']);
  const text = readOptionalText(line, 'text');
  if (text !== undefined) return [text];
  const { texts } = line;
  if (!Array.isArray(texts) || texts.length === 0)
    throw new InputError('missing prompt; expected a string field "text", or a list "texts"');
  return texts.flatMap(parseText);
}

/** Parses a text, or a named list of texts. */
function parseText(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  const { contents } = isObject(value) ? value : {};
  if (Array.isArray(contents) && contents.every(content => typeof content === 'string')) return contents;
  throw new InputError(
    `invalid text ${describeValue(value)}; expected a string, or an object with a list "contents" of strings`,
  );
}
