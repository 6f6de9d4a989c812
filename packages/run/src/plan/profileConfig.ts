import { isSecretName, REDACTED, redactArguments, redactUrl } from '@org/core';
import type { PhaseOptions } from '@org/loadgen';
import type { ProfilePlan, RequestPlan } from '../plan/profilePlan.ts';
import type { ResolvedPlan } from '../plan/runPlan.ts';
import { describeDerivedTargets } from './derivedTargets.ts';

/** Creates `input_config`, the configuration of a profile run as recorded in its exports, without secrets. */
export function createProfileConfig(
  plan: ResolvedPlan<ProfilePlan>,
  benchmarkId: string,
): Record<string, unknown> {
  const { request, inputs, profiling, warmup, cancellation, goodput, prefix, settings, targets, workers } =
    plan;
  const { formats, percentileMethod, sliceSeconds } = plan.exports;
  return {
    benchmark_id: benchmarkId,
    endpoint: toEndpointConfig(request),
    phases: {
      ...(warmup ? { warmup: toPhaseConfig(warmup) } : {}),
      profiling: toPhaseConfig(profiling),
    },
    ...(cancellation
      ? { request_cancellation: { rate: cancellation.percent, delay: cancellation.delayS ?? 0 } }
      : {}),
    ...(workers === undefined ? {} : { workers }),
    input: toSnakeCase({ ...inputs }),
    tokenizer: plan.tokenCount === 'server' ? 'server' : plan.tokenizer,
    token_count: plan.tokenCount,
    ...(goodput ? { goodput: Object.fromEntries(goodput.map(({ tag, limit }) => [tag, limit])) } : {}),
    ...(sliceSeconds === undefined ? {} : { slice_duration: sliceSeconds }),
    ...(prefix === undefined ? {} : { profile_export_prefix: prefix }),
    ...(targets.length > 0
      ? {
          server_metrics: targets.map(({ url }) => url),
          ...describeDerivedTargets(targets),
          server_metrics_formats: formats,
          percentile_method: percentileMethod,
          collection_interval: settings.intervalMs / 1000,
        }
      : {}),
  };
}

function toEndpointConfig(request: RequestPlan): Record<string, unknown> {
  const {
    models,
    modelSelection,
    urls,
    endpoint,
    path,
    streaming,
    headers,
    apiKey,
    extraInputs,
    timeoutSeconds,
  } = request;
  const hasExtraInputs = Object.keys(extraInputs).length > 0;
  return {
    model: models.join(','),
    ...(models.length > 1 ? { models, model_selection_strategy: modelSelection ?? 'round_robin' } : {}),
    urls: urls.map(redactUrl),
    type: endpoint,
    ...(path === undefined ? {} : { custom_endpoint: redactPath(path) }),
    streaming,
    ...(Object.keys(headers).length > 0
      ? { headers: Object.fromEntries(Object.keys(headers).map(name => [name, REDACTED])) }
      : {}),
    ...(apiKey === undefined ? {} : { api_key: REDACTED }),
    ...(hasExtraInputs ? { extra_inputs: redactFields(extraInputs) } : {}),
    ...(timeoutSeconds === undefined ? {} : { timeout: timeoutSeconds }),
    connection_reuse_strategy: request.connectionReuse,
  };
}

/**
 * Redacts secrets in the query of a path. Adds a leading slash temporarily, because text before `@` would
 * count as userinfo.
 */
function redactPath(path: string): string {
  return path.startsWith('/') ? redactUrl(path) : redactUrl(`/${path}`).slice(1);
}

/** Redacts secrets in fields at any depth, by the rules for command lines. */
function redactFields(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, redactValue(name, value)]));
}

function redactValue(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(item => redactValue(name, item));
  if (typeof value === 'object' && value !== null) return isSecretName(name) ? REDACTED : redactFields(value);
  const [text] = redactArguments([`--${name}=${String(value)}`]);
  return text!.endsWith(REDACTED) ? REDACTED : value;
}

function toPhaseConfig(phase: PhaseOptions): Record<string, unknown> {
  const { durationS, graceS, concurrencyRampS, rateRampS, ...otherOptions } = phase;
  return {
    ...toSnakeCase({ ...otherOptions }),
    ...(durationS === undefined ? {} : { duration: durationS }),
    ...(graceS === undefined ? {} : { grace_period: Number.isFinite(graceS) ? graceS : 'inf' }),
    ...(concurrencyRampS === undefined ? {} : { concurrency_ramp_duration: concurrencyRampS }),
    ...(rateRampS === undefined ? {} : { rate_ramp_duration: rateRampS }),
  };
}

/** Converts field names to snake case, such as `input_tokens`. */
function toSnakeCase(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}
