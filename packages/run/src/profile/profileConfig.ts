import { isSecretName, REDACTED, redactArguments, redactUrl } from '@org/core';
import type { PhaseOptions } from '@org/loadgen';
import type { AskOptions, ProfileOptions } from './profilePlan.ts';

/** The resolved configuration of a run as its exports have it, without secrets (seed 004, "input_config"). */
export function profileConfig(options: ProfileOptions, benchmarkId: string): Record<string, unknown> {
  const { ask, inputs, server, profiling, warmup, cancellation, goodput, sliceSeconds, prefix } = options;
  return {
    benchmark_id: benchmarkId,
    endpoint: endpointConfig(ask),
    phases: {
      ...(warmup ? { warmup: phaseConfig(warmup) } : {}),
      profiling: phaseConfig(profiling),
    },
    ...(cancellation
      ? { request_cancellation: { rate: cancellation.percent, delay: cancellation.delayS ?? 0 } }
      : {}),
    ...(options.workers === undefined ? {} : { workers: options.workers }),
    input: snaked({ ...inputs }),
    tokenizer: options.useServerTokenCount ? 'server' : options.tokenizer,
    ...(goodput ? { goodput: Object.fromEntries(goodput.map(({ tag, limit }) => [tag, limit])) } : {}),
    ...(sliceSeconds === undefined ? {} : { slice_duration: sliceSeconds }),
    ...(prefix === undefined ? {} : { profile_export_prefix: prefix }),
    ...(server.enabled
      ? {
          server_metrics: server.targets.map(({ url }) => url),
          server_metrics_formats: server.formats,
          percentile_method: server.percentileMethod,
          collection_interval: server.settings.intervalMs / 1000,
        }
      : {}),
  };
}

function endpointConfig(ask: AskOptions): Record<string, unknown> {
  const { model, urls, endpoint, path, streaming, headers, apiKey, extraInputs } = ask;
  const extra = Object.keys(extraInputs).length > 0;
  return {
    model,
    urls: urls.map(shownUrl),
    type: endpoint,
    ...(path === undefined ? {} : { custom_endpoint: shownPath(path) }),
    streaming,
    ...(Object.keys(headers).length > 0
      ? { headers: Object.fromEntries(Object.keys(headers).map(name => [name, REDACTED])) }
      : {}),
    ...(apiKey === undefined ? {} : { api_key: REDACTED }),
    ...(extra ? { extra_inputs: withoutSecrets(extraInputs) } : {}),
    ...(ask.timeoutSeconds === undefined ? {} : { timeout: ask.timeoutSeconds }),
    connection_reuse_strategy: ask.connectionReuse,
  };
}

/** A URL without name, password and secrets in its query. */
export function shownUrl(url: string): string {
  return redactUrl(url);
}

/** A path without secrets in its query. Behind a slash, for what stands before `@` is a login elsewhere only. */
function shownPath(path: string): string {
  return path.startsWith('/') ? redactUrl(path) : redactUrl(`/${path}`).slice(1);
}

/** As a command line would show them, however deep they are. */
function withoutSecrets(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shownValue(name, value)]));
}

function shownValue(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(one => shownValue(name, one));
  if (typeof value === 'object' && value !== null)
    return isSecretName(name) ? REDACTED : withoutSecrets(value);
  const [text] = redactArguments([`--${name}=${String(value)}`]);
  return text!.endsWith(REDACTED) ? REDACTED : value;
}

function phaseConfig(phase: PhaseOptions): Record<string, unknown> {
  const { durationS, graceS, concurrencyRampS, rateRampS, ...rest } = phase;
  return {
    ...snaked({ ...rest }),
    ...(durationS === undefined ? {} : { duration: durationS }),
    ...(graceS === undefined ? {} : { grace_period: Number.isFinite(graceS) ? graceS : 'inf' }),
    ...(concurrencyRampS === undefined ? {} : { concurrency_ramp_duration: concurrencyRampS }),
    ...(rateRampS === undefined ? {} : { rate_ramp_duration: rateRampS }),
  };
}

/** Names as exports spell them: `input_tokens`. */
function snaked(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}
