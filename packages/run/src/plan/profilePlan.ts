import type {
  AudioOptions,
  BatchSizes,
  CacheBustTarget,
  CancellationOptions,
  ConnectionReuse,
  Corpus,
  CustomFormat,
  DatasetType,
  EndpointName,
  GoodputRule,
  ImageOptions,
  LengthPair,
  LengthRange,
  ModelSelection,
  PhaseOptions,
  PrefixPool,
  RangeStyle,
  RankingOptions,
  RowSelection,
  Sampling,
  TokenSource,
  TraceReplay,
  TraceSynthesis,
  ValueDistribution,
} from '@org/loadgen';
import type { ExportLevel } from '@org/record';
import type { Preparation } from './preparation.ts';
import type { RunPlan } from './runPlan.ts';

/** TLS settings of the requests. Certificates and keys are PEM texts. */
export interface RequestTls {
  /** True to verify the certificates of servers. */
  readonly verifyTls: boolean;
  /** Certificates of all trusted issuers, default and additional. */
  readonly ca?: readonly string[];
  readonly cert?: string;
  readonly key?: string;
}

/** Destination and common parameters of all requests. */
export interface RequestPlan {
  /** At least one model name. */
  readonly models: readonly string[];
  readonly modelSelection?: ModelSelection;
  readonly urls: readonly string[];
  readonly endpoint: EndpointName;
  /** Path of the requests; the default path of the API if absent. */
  readonly path?: string;
  readonly streaming: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly apiKey?: string;
  readonly extraInputs: Readonly<Record<string, unknown>>;
  /** Template and query of the APIs `raw` and `template`. */
  readonly format?: CustomFormat;
  /** True to request the token counts of the server in each chunk of a stream. */
  readonly chunkUsage?: boolean;
  /** True to send `max_tokens` instead of `max_completion_tokens`. */
  readonly legacyMaxTokens: boolean;
  readonly timeoutSeconds?: number;
  readonly connectionReuse: ConnectionReuse;
  /** Name of the header that identifies the conversation of a request; `X-Correlation-ID` by default. */
  readonly sessionHeader?: string;
  readonly tls: RequestTls;
}

export const TOKEN_COUNTS = ['auto', 'client', 'server'] as const;

/**
 * Source of token counts: the tokenizer (`client`), `usage` in responses (`server`), or the server if all
 * successful responses contain `usage`, otherwise the client (`auto`).
 */
export type TokenCount = (typeof TOKEN_COUNTS)[number];

/** Ranges of lengths, and the ratio that they were computed from. */
export interface RatioRange extends LengthRange {
  readonly ratio: string;
  readonly style: RangeStyle;
}

/** The prompts of a data set of the Hugging Face hub. */
export interface PublicRows extends RowSelection {
  /** AIPerf's name of the data set, such as `aimo`. */
  readonly name: string;
  /** The column with the prompts. */
  readonly column: string;
}

/** The prompts of a run: synthetic prompts, or the prompts of a file. Lengths are in tokens. */
export interface InputPlan {
  readonly inputTokens: ValueDistribution;
  readonly outputTokens?: ValueDistribution;
  /** Lengths of prompts and responses to draw for each turn, instead of `inputTokens` and `outputTokens`. */
  readonly lengths?: readonly LengthPair[];
  /** Ranges of the lengths of prompts and responses, instead of `inputTokens` and `outputTokens`. */
  readonly range?: RatioRange;
  /** Generated prefixes of first turns. */
  readonly prefixes?: PrefixPool;
  /** The text of generated prompts; `sonnet` by default. */
  readonly corpus?: Corpus;
  /** Number of tokens that a hash id of a trace stands for; determined by the format by default. */
  readonly blockTokens?: number;
  /** Changes of a trace. */
  readonly synthesis?: TraceSynthesis;
  /** The replay of a `baseten_trace`. */
  readonly replay?: TraceReplay;
  /** Maximum delay between a response and the next turn of `file`, in seconds. */
  readonly delayCapSeconds?: number;
  /** Place of a marker that keeps the server from finding prompts in its prefix cache. */
  readonly cacheBust?: CacheBustTarget;
  /** True to count the input with the chat template. Generated prompts are shorter by the tokens of the template. */
  readonly appliesChatTemplate?: boolean;
  readonly turns?: ValueDistribution;
  readonly turnDelayMs?: ValueDistribution;
  /** Factor of the delays between turns. */
  readonly turnDelayRatio?: number;
  readonly sharedSystemTokens?: number;
  /** Length of a first user message that differs in each conversation, in tokens. */
  readonly userContextTokens?: number;
  /** System message of all conversations. */
  readonly systemPrompt?: string;
  /** Number of distinct conversations to generate, or to draw from a pool. */
  readonly entries?: number;
  /** Absolute path of an input file, instead of synthetic prompts. */
  readonly file?: string;
  /** True to send images of `file` that have an id only once in each conversation. */
  readonly stripsImages?: boolean;
  /** Format of `file`; detected by default. */
  readonly datasetType?: DatasetType;
  /** The rows of a public data set in `file` to send as prompts. */
  readonly rows?: PublicRows;
  /** Numbers of contents to draw for each request from the pool in `file`; whole lines by default. */
  readonly batchSizes?: BatchSizes;
  /** Number of texts of a turn; 1 by default, and 0 for turns without text. */
  readonly textsPerTurn?: number;
  /** Queries and passages instead of prompts. */
  readonly rankings?: RankingOptions;
  /** Images and audio clips of each turn; none by default. */
  readonly images?: ImageOptions;
  readonly audios?: AudioOptions;
  readonly sampling: Sampling;
  /** True to start conversations at the timestamps of the file. */
  readonly fixedSchedule: boolean;
  /** Offset of the first timestamp to use, in milliseconds. */
  readonly startMs?: number;
  /** Offset of the last timestamp to use, in milliseconds. */
  readonly endMs?: number;
}

/** The round trip between the client and the servers: a value, or measurements after each interval. */
export type NetworkLatencyPlan = { readonly meanMs: number } | { readonly intervalS: number };

/** A run that sends requests to inference servers and scrapes their endpoints at the same time. */
export interface ProfilePlan extends RunPlan {
  readonly request: RequestPlan;
  readonly preparation?: Preparation;
  readonly profiling: PhaseOptions;
  readonly warmup?: PhaseOptions;
  readonly cancellation?: CancellationOptions;
  /**
   * Ends the load if more requests arrive than the servers can process, judged by the growth of their queues in at least this
   * time, in seconds.
   */
  readonly overSaturationSeconds?: number;
  readonly inputs: InputPlan;
  /** Planned start of profiling, in whole milliseconds since 1970; by default, profiling starts when it is ready. */
  readonly startAtMs?: number;
  /** Seed of the prompts and of the arrival times. */
  readonly seed: number;
  /**
   * Maximum number of worker threads that send the requests; see `countWorkers`. Without it, the main thread sends
   * them.
   */
  readonly workers?: number;
  /** Name of a tokenizer, or path of a tokenizer.json. */
  readonly tokenizer: string;
  readonly tokenCount: TokenCount;
  /** Source of token counts that an earlier run of the same benchmark chose for `auto`. */
  readonly tokenSource?: TokenSource;
  readonly goodput?: readonly GoodputRule[];
  /** Add latencies without the round trip to the servers; absent by default. */
  readonly networkLatency?: NetworkLatencyPlan;
  /** `records` by default. */
  readonly exportLevel?: ExportLevel;
  /** True to write the texts of the responses to outputs.json. */
  readonly exportOutputs?: boolean;
}
