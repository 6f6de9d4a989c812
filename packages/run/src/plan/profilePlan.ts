import type { CancellationOptions, EndpointName, GoodputRule, PhaseOptions } from '@org/loadgen';
import type { InputPlan } from './inputPlan.ts';
import type { RunPlan } from './runPlan.ts';

/** TLS settings of the requests. Certificates and keys are PEM texts. */
export interface RequestTls {
  /** True to verify the certificates of servers. */
  readonly verifyTls: boolean;
  /** All trusted issuers: the default ones and additional ones. */
  readonly ca?: readonly string[];
  readonly cert?: string;
  readonly key?: string;
}

/** Destination and common parameters of all requests. */
export interface RequestPlan {
  readonly model: string;
  readonly urls: readonly string[];
  readonly endpoint: EndpointName;
  /** Path of the endpoint, instead of the default path of the API. */
  readonly path?: string;
  readonly streaming: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly apiKey?: string;
  readonly extraInputs: Readonly<Record<string, unknown>>;
  readonly legacyMaxTokens: boolean;
  readonly timeoutSeconds?: number;
  readonly connectionReuse: 'pooled' | 'never';
  readonly tls: RequestTls;
}

/** A run that sends requests to inference servers and scrapes their endpoints at the same time. */
export interface ProfilePlan extends RunPlan {
  readonly request: RequestPlan;
  readonly profiling: PhaseOptions;
  readonly warmup?: PhaseOptions;
  readonly cancellation?: CancellationOptions;
  readonly inputs: InputPlan;
  /** Seed of the prompts and of the arrival times. */
  readonly seed: number;
  /** Number of worker threads that send the requests. Without it, the main thread sends them. */
  readonly workers?: number;
  /** Name of a tokenizer, or path of a tokenizer.json. */
  readonly tokenizer: string;
  /** True to use the token counts that servers report. */
  readonly useServerTokenCount: boolean;
  readonly goodput?: readonly GoodputRule[];
}
