import { Random } from '@org/core';
import type { EndpointName } from '../endpoint/endpoint.ts';
import type { Conversation, Inputs } from './conversation.ts';
import { readChunks } from './fileLines.ts';
import { InputError, withPlace } from './inputError.ts';
import { describeValue, type Fields, parseJsonObject, readJsonLines } from './inputFile.ts';
import { readJsonElements } from './jsonElements.ts';
import { createContentReader, createMessage } from './messageContents.ts';
import { readParquetRows } from './parquetRows.ts';
import { createFixedInputs } from './payloadInputs.ts';
import { listRowFiles, type RowSelection } from './rowFiles.ts';
import type { FileOptions } from './sampling.ts';
import { drawInteger, type ValueDistribution } from './valueDistribution.ts';

/** Options of {@link openRowInputs}. */
export interface RowOptions extends FileOptions, RowSelection {
  /** The column with the prompt of a row: a text, or a list of texts, which are the turns of a conversation. */
  readonly column: string;
  /** Maximum response length, in tokens; left to the server by default. */
  readonly outputTokens?: ValueDistribution;
  /** The API that the prompts are sent to; APIs that require other contents are refused. */
  readonly endpoint?: EndpointName;
}

/**
 * Reads prompts from the rows of a data set of the Hugging Face hub, whose files are in a folder. Rows without a prompt are
 * left out. Rejects with an `InputError` if the folder has no such rows, or if the API requires other contents than a text.
 */
export async function openRowInputs(folder: string, options: RowOptions): Promise<Inputs> {
  const { column, split, subset, outputTokens, seed = 0, endpoint } = options;
  const { endpoint: api } = createContentReader(endpoint);
  const part = `the split ${JSON.stringify(split)}${subset === undefined ? '' : ` of the subset ${JSON.stringify(subset)}`}`;
  const random = new Random(seed).fork('output lengths');
  const conversations: Conversation[] = [];
  for (const file of listRowFiles(folder, options))
    for (const { prompt, place } of await readPrompts(file, column)) {
      const messages = withPlace(place, () =>
        listTexts(prompt, column).map(text =>
          createMessage([{ texts: [{ name: '', contents: [text] }], media: {} }], api),
        ),
      );
      if (messages.length === 0) continue;
      const draw = random.fork(`${conversations.length}`);
      const turns = messages.map(message => ({
        ...message,
        ...(outputTokens && { maxTokens: drawInteger(outputTokens, 1, draw) }),
      }));
      conversations.push({ id: `row-${conversations.length}`, turns });
    }
  if (conversations.length === 0)
    throw new InputError(`${folder} has no prompts in Parquet or JSON files of ${part}`);
  return createFixedInputs(folder, conversations, options);
}

/** The prompt of a row, and its place, such as `test.jsonl:3`. */
interface Prompt {
  readonly prompt: unknown;
  readonly place: string;
}

async function readPrompts(file: string, column: string): Promise<readonly Prompt[]> {
  if (file.endsWith('.parquet')) {
    const { rows } = await readParquetRows(file, columns => {
      checkColumn(file, columns, column);
      return [column];
    });
    return rows.map((row, index) => ({ prompt: row[column], place: `${file}:${index + 1}` }));
  }
  if (!(await startsWithList(file)))
    return readJsonLines(file, (row, line) => toPrompt(row, column, `${file}:${line}`));
  const prompts: Prompt[] = [];
  for await (const { text, line } of readJsonElements(file)) {
    const place = `${file}:${line}`;
    prompts.push(withPlace(place, () => toPrompt(parseJsonObject(text, 'the row'), column, place)));
  }
  return prompts;
}

function toPrompt(row: Fields, column: string, place: string): Prompt {
  checkColumn('the row', Object.keys(row), column);
  return { prompt: row[column], place };
}

function checkColumn(owner: string, columns: readonly string[], column: string): void {
  if (columns.includes(column)) return;
  const names = columns.map(name => JSON.stringify(name)).join(', ') || 'absent';
  throw new InputError(`${owner} has no column ${JSON.stringify(column)}; its columns are ${names}`);
}

/** Reports whether a JSON file contains a list, instead of an object in each line. */
async function startsWithList(file: string): Promise<boolean> {
  for await (const chunk of readChunks(file)) {
    const start = chunk
      .toString()
      .replace(/^\uFEFF/, '')
      .trimStart();
    if (start !== '') return start.startsWith('[');
  }
  return false;
}

/** Lists the turns of a prompt; none if the prompt is empty. */
function listTexts(prompt: unknown, column: string): readonly string[] {
  const texts = Array.isArray(prompt) ? prompt : [prompt ?? ''];
  const invalid = texts.find(text => typeof text !== 'string');
  if (invalid !== undefined)
    throw new InputError(`${column} is ${describeValue(prompt)}; expected a text, or a list of texts`);
  return texts.filter((text: string) => text.trim() !== '');
}
