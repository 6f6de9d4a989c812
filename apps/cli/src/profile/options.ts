import { resolve } from 'node:path';
import type { PercentileMethod } from '@org/core';
import {
  EMBEDDED_TOKENIZER,
  type EndpointName,
  type GoodputRule,
  MAX_WORKERS,
  type PhaseOptions,
  parseExtraInputs,
  parseGoodput,
} from '@org/loadgen';
import { DEFAULT_FORMATS, type ExportFormat } from '@org/record';
import type { ExportPlan, ProfilePlan, RequestPlan, RunPlan } from '@org/run';
import { UsageError } from '@org/terminal';
import { readAccess } from '../collect/accessoptions.ts';
import { targetsOf } from '../collect/targets.ts';
import type { ConfigFile } from '../config/configfile.ts';
import { cleanPrefix } from '../export/exportoptions.ts';
import { layoutsOf } from '../export/layouts.ts';
import type { Io } from '../io.ts';
import { memoryLimit } from '../memory.ts';
import { type RawOptions, secondsValue, singleValue, textValue } from '../optionvalue.ts';
import { readSettings } from '../settings.ts';
import { readInputOptions } from './inputoptions.ts';
import { numberValue } from './numbervalue.ts';
import { readPhases } from './phaseoptions.ts';
import { readTls } from './tls.ts';

const URL_DEFAULT = 'localhost:8000';

/** Validated options of a profile run. */
export interface ProfileOptions {
  readonly plan: ProfilePlan;
  /** Whether the name of the artifact folder is a default, so that the folder must not exist yet. */
  readonly hasDefaultFolder: boolean;
  /** Whether to fail if an endpoint returned no data. */
  readonly required: boolean;
  /** Whether to print the phases of requests, such as DNS lookup and connect. */
  readonly showTrace: boolean;
  readonly quiet: boolean;
  /** Whether to show a live line. */
  readonly live: boolean;
}

/** Reads the options of a profile run. `file` is the result of `readConfigOption`. Throws `UsageError` for invalid values. */
export function readProfileOptions(raw: RawOptions, io: Io, file?: ConfigFile): ProfileOptions {
  const [, stray] = list(raw._);
  if (stray !== undefined)
    throw new UsageError(`cannot use ${JSON.stringify(stray)}; all that profile takes are options`);
  const request = readRequest(raw, io.cwd);
  const inputs = readInputOptions(raw, io.cwd);
  const phases = readPhases(raw, inputs.fixedSchedule);
  const goodput = list(raw.goodput);
  const prefix = textValue(raw, 'profile-export-prefix', 'the beginning of file names');
  const folder = textValue(raw, 'artifact-dir', 'a folder');
  const workers = numberValue(raw, 'workers', { least: 1, most: MAX_WORKERS, whole: true });
  const quiet = raw.quiet === true;
  return {
    plan: {
      folder: resolve(io.cwd, folder ?? `artifacts/${runName(request, phases.profiling)}`),
      ...(prefix === undefined ? {} : { prefix: cleanPrefix(prefix) }),
      request,
      ...phases,
      inputs,
      seed: numberValue(raw, 'random-seed', { least: 0, most: 2 ** 32 - 1, whole: true }) ?? anySeed(),
      ...(workers === undefined ? {} : { workers }),
      tokenizer: readTokenizer(raw),
      useServerTokenCount: raw['use-server-token-count'] === true,
      ...(goodput.length > 0 ? { goodput: readGoodput(goodput.join(' '), request) } : {}),
      ...readScraping(raw, io, request, file),
      exports: readExports(raw),
      storage: { memoryLimit: memoryLimit(raw), keepJournal: raw['keep-journal'] === true },
    },
    hasDefaultFolder: folder === undefined,
    required: raw['require-server-metrics'] === true,
    showTrace: raw['show-trace-timing'] === true,
    quiet,
    live: (raw.live ?? io.stderr.isTTY === true) === true && !quiet,
  };
}

/** AIPerf calls the embedded one `builtin`. */
function readTokenizer(raw: RawOptions): string {
  const name = textValue(raw, 'tokenizer', 'a name or the path of a tokenizer.json') ?? EMBEDDED_TOKENIZER;
  return name === 'builtin' ? EMBEDDED_TOKENIZER : name;
}

/** A rule that no request could ever fulfil would make all of them bad ones. */
function readGoodput(text: string, { streaming, endpoint }: RequestPlan): readonly GoodputRule[] {
  const rules = told('--', () => parseGoodput(text));
  const isStream = streaming && endpoint !== 'embeddings';
  const lost = isStream ? undefined : rules.find(({ needsStream }) => needsStream);
  if (lost === undefined) return rules;
  throw new UsageError(
    `--goodput has ${JSON.stringify(lost.tag)}, which only streams have; expected --streaming, or another metric`,
  );
}

function readRequest(raw: RawOptions, cwd: string): RequestPlan {
  const model = textValue(raw, 'model', 'the name of a model');
  if (model === undefined) throw new UsageError('--model is missing; expected the name of the model to ask');
  const path = textValue(raw, 'endpoint', 'a path such as /v1/chat/completions');
  const apiKey = textValue(raw, 'api-key', 'a key');
  // What stands there is a secret.
  if (apiKey !== undefined && !/^[\t -~\x80-\xff]*$/.test(apiKey))
    throw new UsageError('--api-key cannot be sent in a header; expected a key of one line');
  const timeout = secondsValue(raw, 'request-timeout-seconds', 0.001);
  return {
    model,
    urls: urlsOf(raw),
    endpoint: singleValue(raw, 'endpoint-type') as EndpointName,
    ...(path === undefined ? {} : { path }),
    streaming: raw.streaming === true,
    headers: readAccess({ header: raw.header }, cwd).headers ?? {},
    ...(apiKey === undefined ? {} : { apiKey }),
    extraInputs: told('--extra-inputs: ', () => parseExtraInputs(list(raw['extra-inputs']))),
    legacyMaxTokens: raw['use-legacy-max-tokens'] === true,
    ...(timeout === undefined ? {} : { timeoutSeconds: timeout }),
    connectionReuse: singleValue(raw, 'connection-reuse-strategy') as RequestPlan['connectionReuse'],
    tls: readTls(raw, cwd),
  };
}

function urlsOf(raw: RawOptions): string[] {
  const urls = list(raw.url);
  const wrong = urls.find(url => !isUrl(url));
  if (wrong !== undefined)
    throw new UsageError(
      `--url is ${JSON.stringify(wrong)}; expected host:port or http(s)://host[:port][/path]`,
    );
  return urls.length > 0 ? urls : [URL_DEFAULT];
}

function isUrl(text: string): boolean {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  return URL.canParse(whole) && /^https?:$/.test(new URL(whole).protocol);
}

/** Reads what to scrape and how. */
function readScraping(
  raw: RawOptions,
  io: Io,
  { urls }: RequestPlan,
  file: ConfigFile | undefined,
): Pick<RunPlan, 'targets' | 'settings' | 'settleSeconds'> {
  const enabled = raw['no-server-metrics'] !== true;
  const named = list(raw['server-metrics']);
  if (!enabled && named.length > 0)
    throw new UsageError('cannot use both --server-metrics and --no-server-metrics');
  const { header: _header, timeout: _timeout, ...access } = raw;
  const options = scrapeAccess({ ...access, header: raw['server-metrics-header'] }, io.cwd);
  const settings = readSettings(io.env);
  const interval = file?.config.defaults?.interval;
  return {
    targets: enabled ? targetsOf({ bases: urls, named, options, ...(file ? { file } : {}) }) : [],
    settings: interval === undefined ? settings : { ...settings, intervalMs: interval * 1000 },
    ...settleOf(raw),
  };
}

function readExports(raw: RawOptions): ExportPlan {
  const slice = secondsValue(raw, 'slice-duration', 0.001);
  return {
    formats: [...new Set(list(raw['server-metrics-formats'] ?? DEFAULT_FORMATS))] as ExportFormat[],
    layouts: layoutsOf(raw),
    parquetPartition: raw['parquet-partition'] === true,
    percentileMethod: singleValue(raw, 'percentile-method') as PercentileMethod,
    ...(slice === undefined ? {} : { sliceSeconds: slice }),
  };
}

/** The header of scrapes has another name than that of requests. */
function scrapeAccess(raw: RawOptions, cwd: string): ReturnType<typeof readAccess> {
  try {
    return readAccess(raw, cwd);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.message.replace(/^--header /, '--server-metrics-header '));
  }
}

/** What `--settle` without seconds waits at most. */
const SETTLE_SECONDS = 10;

function settleOf(raw: RawOptions): { settleSeconds?: number } {
  if (raw.settle === undefined) return {};
  if (raw.settle === true || raw.settle === '') return { settleSeconds: SETTLE_SECONDS };
  return { settleSeconds: secondsValue(raw, 'settle', 0.001)! };
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
}

/** What the load generator says of a value, as a mistake of the user; it begins with what `before` is to lead. */
function told<T>(before: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(`${before}${error.message}`);
  }
}

function anySeed(): number {
  return Math.floor(Math.random() * 2 ** 31);
}

/** `Qwen_Qwen3-0.6B-chat-concurrency4`: the folder of a run that was given none. */
function runName({ model, endpoint }: RequestPlan, { concurrency, rate }: PhaseOptions): string {
  const load = [
    ...(concurrency === undefined ? [] : [`concurrency${concurrency}`]),
    ...(rate === undefined ? [] : [`rate${rate}`]),
  ];
  const name = model.replace(/[^\w.-]+/g, '_').replace(/^\.+/, '');
  return [name.slice(0, 100) || 'model', endpoint, ...(load.length > 0 ? load : ['schedule'])].join('-');
}
