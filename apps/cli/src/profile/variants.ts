import { UsageError } from '@org/terminal';
import { parseCommandLine } from '@org/terminal/parse';
import {
  type Command,
  createOptionError,
  type Option,
  type OptionTable,
  type RawOptions,
  readList,
} from '@org/terminal/program';
import { ENDPOINT_OPTIONS } from '../options/endpoint.ts';
import { INPUT_OPTIONS, TOKENIZER_OPTIONS } from '../options/input.ts';
import { LOAD_OPTIONS, WARMUP_OPTIONS } from '../options/load.ts';
import { MEDIA_OPTIONS } from '../options/media.ts';
import { PHASE_OPTIONS } from '../options/phases.ts';
import { PROMPT_SHAPE_OPTIONS } from '../options/promptShape.ts';
import { TRACE_OPTIONS } from '../options/traceChanges.ts';
import { REPLAY_OPTIONS } from '../options/traceReplay.ts';
import { type OptionVariations, readVariations } from './sweepVariations.ts';

/** A variant of --variant: its name, and the options that differ from the other runs. */
interface Variant {
  readonly name: string;
  readonly raw: RawOptions;
}

/** The parameter whose values are the names of the variants. */
const PARAMETER = 'variant';

/** Names that variants cannot have, because other folders of a sweep have them. */
const RESERVED = ['aggregate', 'sweep_aggregate', 'profile_runs'];

/** Options that a variant may set: options of the load and of the requests. */
const OPTIONS: OptionTable = withoutDefaults({
  ...ENDPOINT_OPTIONS,
  ...LOAD_OPTIONS,
  'warmup-duration': PHASE_OPTIONS['warmup-duration']!,
  ...WARMUP_OPTIONS,
  ...INPUT_OPTIONS,
  ...PROMPT_SHAPE_OPTIONS,
  ...TRACE_OPTIONS,
  ...REPLAY_OPTIONS,
  ...MEDIA_OPTIONS,
  ...TOKENIZER_OPTIONS,
});

const COMMAND: Command = {
  optionGroups: [{ title: 'Variants', options: OPTIONS }],
  examples: [],
  run: () => Promise.reject(new Error('BUG: the options of a variant are not a command')),
};

/**
 * Reads the variations of --variant; undefined if it is not set. Throws `UsageError` if a variant is invalid, if there is
 * only one, or if lists are swept, too.
 */
export function readVariants({ [PARAMETER]: texts, ...raw }: RawOptions): OptionVariations | undefined {
  const variants = readList({ texts }, 'texts').map(parseVariant);
  if (variants.length === 0) return undefined;
  checkVariants(variants, raw);
  const names = variants.map(({ name }) => name);
  return {
    parameters: [{ option: PARAMETER, label: PARAMETER, name: PARAMETER, path: PARAMETER, values: names }],
    variations: variants.map(({ name, raw: own }, index) => ({
      index,
      label: name,
      parameters: { [PARAMETER]: name },
      values: { [PARAMETER]: name },
      raw: { ...raw, ...own },
    })),
  };
}

/** Lists the options that every variant sets, so that the value of the other options has no effect. */
export function listVariantOptions(raw: RawOptions): string[] {
  const [first, ...others] = readList(raw, PARAMETER).map(parseVariant);
  return Object.keys(first?.raw ?? {}).filter(name => others.every(variant => name in variant.raw));
}

function checkVariants(variants: readonly Variant[], raw: RawOptions): void {
  if (variants.length === 1)
    throw new UsageError('--variant is set once; set it at least twice, or set its options directly');
  const names = variants.map(({ name }) => name.toLowerCase());
  const duplicate = names.find((name, index) => names.indexOf(name) < index);
  if (duplicate !== undefined)
    throw new UsageError(
      `two variants have the name ${JSON.stringify(duplicate)}; each needs its own folder`,
    );
  const [list] = readVariations(raw).parameters;
  if (list) throw new UsageError(`cannot use both --variant and a list of --${list.option}`);
}

function parseVariant(text: string, index: number): Variant {
  const { name = `v${index}`, options } = text.trim().startsWith('{') ? parseObject(text) : parsePairs(text);
  const isFolder = /^[\w-][\w .+=@-]*$/.test(name) && !name.includes('..') && name === name.trim();
  if (!isFolder || RESERVED.includes(name.toLowerCase()))
    throw createOptionError(
      PARAMETER,
      text,
      'a name for a folder: letters, digits, spaces and any of _ . + = @ -',
    );
  return { name, raw: parseOptions(text, options) };
}

interface ParsedVariant {
  readonly name?: string | undefined;
  /** Values by option. Null removes the option of the other runs. */
  readonly options: readonly (readonly [name: string, value: unknown])[];
}

/** Parses `NAME: OPTION=VALUE, OPTION=VALUE`. The name may be omitted. */
function parsePairs(text: string): ParsedVariant {
  const [, name, body = ''] = /^(?:\s*([^=:]*?)\s*:)?(.*)$/s.exec(text)!;
  const options = body
    .split(',')
    .filter(part => part.trim() !== '')
    .map(part => {
      const [, option, value] = /^\s*(?:--)?([\w-]+)\s*=\s*(.*?)\s*$/s.exec(part) ?? [];
      if (option === undefined)
        throw createOptionError(
          PARAMETER,
          text,
          `NAME: OPTION=VALUE, OPTION=VALUE; ${JSON.stringify(part.trim())} has no "="`,
        );
      return [option, value!.replace(/^(['"])(.*)\1$/s, '$2')] as const;
    });
  return { name: name === '' ? undefined : name, options };
}

/** Parses a JSON object with values by option, and the name of the variant as `name`. */
function parseObject(text: string): ParsedVariant {
  try {
    const { name, ...options } = JSON.parse(text) as Record<string, unknown>;
    return { name: name === undefined ? undefined : String(name), options: Object.entries(options) };
  } catch (error) {
    throw createOptionError(PARAMETER, text, `a JSON object; ${(error as Error).message}`);
  }
}

function parseOptions(text: string, options: ParsedVariant['options']): RawOptions {
  if (options.length === 0) throw createOptionError(PARAMETER, text, 'at least one OPTION=VALUE');
  const words = options.flatMap(([name, value]) => formatWords(name.replaceAll('_', '-'), value));
  try {
    const given = parseCommandLine(COMMAND, words, '');
    const removed = options.filter(([, value]) => value === null).map(([name]) => findOption(name));
    return { ...Object.fromEntries(removed.map(name => [name, undefined])), ...given };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`invalid --${PARAMETER} ${JSON.stringify(text)}: ${error.message}`);
  }
}

function formatWords(name: string, value: unknown): string[] {
  if (value === null) return [];
  const isFlag = OPTIONS[findOption(name)]?.placeholder === undefined;
  if (!isFlag) return [value].flat().map(item => `--${name}=${String(item)}`);
  return [`--${name}=${String(value).toLowerCase()}`];
}

/** Resolves an alias to the name of its option. Returns other names unchanged. */
function findOption(name: string): string {
  const entry = Object.entries(OPTIONS).find(([key, { aliases = [], hiddenAliases = [] }]) =>
    [key, ...aliases, ...hiddenAliases].includes(name),
  );
  return entry?.[0] ?? name;
}

function withoutDefaults(table: OptionTable): OptionTable {
  return Object.fromEntries(
    Object.entries(table).map(([name, { default: _, ...declaration }]) => [name, declaration as Option]),
  );
}
