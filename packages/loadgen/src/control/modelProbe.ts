import type { ControlRequest, ControlResult } from './controlClient.ts';
import { describeResult } from './controlClient.ts';
import type { Timing } from './timing.ts';

export const PROBE_MODES = ['inference', 'models', 'both'] as const;
/**
 * The request that shows that a model is ready: a response of one token (`inference`), the list of models (`models`), or
 * both.
 */
export type ProbeMode = (typeof PROBE_MODES)[number];

/** Options for waiting until models are ready. */
export interface ProbeOptions {
  /** Time to wait for each model of each server, in seconds. */
  readonly timeoutS: number;
  readonly mode: ProbeMode;
  /** Time between attempts, in seconds. */
  readonly intervalS: number;
}

/** Minimum time to wait for a list of models and for a token, in ms: the first token of a cold server is slow. */
const MIN_TIMEOUT_MS = { models: 5_000, inference: 30_000 } as const;

/** A request that shows that a model is ready, and the rule for its response. */
export interface Probe {
  readonly kind: 'models' | 'inference';
  readonly model: string;
  readonly request: Pick<ControlRequest, 'method' | 'url' | 'body'>;
  /** URL to request if the server has no list of models. */
  readonly fallbackUrl?: string;
}

/** The environment of a probe. */
export interface ProbeContext {
  readonly send: (request: ControlRequest) => Promise<ControlResult>;
  readonly timing: Timing;
  readonly signal: AbortSignal;
  /** Called after each attempt that failed, with a sentence. */
  readonly onWait: (message: string) => void;
}

/**
 * Repeats a probe until its model is ready. Returns undefined then, or if the signal is aborted; otherwise, after the
 * timeout, the reason of the last failure.
 */
export async function runProbe(
  probe: Probe,
  { timeoutS, intervalS }: ProbeOptions,
  context: ProbeContext,
): Promise<string | undefined> {
  const { timing, signal } = context;
  const { model, request } = probe;
  const endMs = timing.nowMs() + 1000 * timeoutS;
  for (let attempt = 1; ; attempt++) {
    const timeoutMs = Math.min(
      Math.max(1000 * intervalS, MIN_TIMEOUT_MS[probe.kind]),
      endMs - timing.nowMs(),
    );
    const problem = await attemptProbe(probe, timeoutMs, context);
    const describeTimeout = (): string =>
      `model ${JSON.stringify(model)} is not ready after ${timeoutS} s: ${request.method} ${request.url}: ${problem}`;
    if (problem === undefined || signal.aborted) return undefined;
    const restMs = endMs - timing.nowMs();
    if (restMs <= 0) return describeTimeout();
    context.onWait(
      `waiting for model ${JSON.stringify(model)}: ${request.url}: ${problem} (attempt ${attempt})`,
    );
    await timing.sleep(Math.min(1000 * intervalS, restMs), signal);
    if (signal.aborted) return undefined;
    if (timing.nowMs() >= endMs) return describeTimeout();
  }
}

/** Sends a probe once. Returns why the model is not ready; undefined if it is. */
async function attemptProbe(
  { kind, model, request, fallbackUrl }: Probe,
  timeoutMs: number,
  { send, signal }: ProbeContext,
): Promise<string | undefined> {
  const result = await send({ ...request, timeoutMs, signal });
  const { status } = result;
  // As in AIPerf, an error of the client does not delay the run: its requests would have the same error.
  if (kind === 'inference') return status !== undefined && status < 500 ? undefined : describeResult(result);
  if (status === 404 && fallbackUrl !== undefined) {
    const fallback = await send({ method: 'GET', url: fallbackUrl, timeoutMs, signal });
    const isReady = fallback.status !== undefined && fallback.status >= 200 && fallback.status < 300;
    return isReady ? undefined : `HTTP status 404, and ${fallbackUrl}: ${describeResult(fallback)}`;
  }
  if (status !== 200) return describeResult(result);
  return listsModel(result.text, model) ? undefined : 'the list of models does not contain the model';
}

/** Reports whether a list of models contains a model. */
function listsModel(text: string, model: string): boolean {
  try {
    const { data } = JSON.parse(text) as { data?: unknown };
    return Array.isArray(data) && data.some((entry: { id?: unknown } | null) => entry?.id === model);
  } catch {
    return false;
  }
}
