import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toFields } from '../endpoint/responseFields.ts';
import { EMBEDDED_TOKENIZER, findTokenizerFolder } from './tokenizer.ts';

/** The chat template of a tokenizer, and the special tokens that it may refer to. */
export interface ChatTemplateFile {
  readonly source: string;
  /** Special tokens by name, such as `bos_token`. */
  readonly tokens: Readonly<Record<string, string>>;
}

/**
 * Reads the chat template of a tokenizer: `chat_template.jinja` next to its tokenizer.json, or else `chat_template` in
 * its tokenizer_config.json. Resolves with undefined if it has none.
 */
export async function readChatTemplate(name: string): Promise<ChatTemplateFile | undefined> {
  if (name === EMBEDDED_TOKENIZER) return undefined;
  const folder = findTokenizerFolder(name) ?? dirname(name);
  const config = toFields(parseJson(await readText(join(folder, 'tokenizer_config.json'))));
  const source =
    (await readText(join(folder, 'chat_template.jinja'))) ?? selectTemplate(config.chat_template);
  return source === undefined ? undefined : { source, tokens: readTokens(config) };
}

/** Returns a template, or the one with the name `default` of several. */
function selectTemplate(value: unknown): string | undefined {
  if (!Array.isArray(value)) return typeof value === 'string' ? value : undefined;
  const { template } = toFields(value.map(toFields).find(({ name }) => name === 'default'));
  return typeof template === 'string' ? template : undefined;
}

/** Reads the special tokens of a configuration: texts, or objects with a text. */
function readTokens(config: Readonly<Record<string, unknown>>): Record<string, string> {
  const tokens = Object.entries(config)
    .filter(([name]) => name.endsWith('_token'))
    .map(([name, value]) => [name, typeof value === 'string' ? value : toFields(value).content] as const);
  return Object.fromEntries(
    tokens.filter((token): token is [string, string] => typeof token[1] === 'string'),
  );
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '{}');
  } catch {
    return {};
  }
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
