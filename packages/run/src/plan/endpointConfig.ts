import { isSecretName, REDACTED, redactArguments, redactUrl } from '@org/core';
import { type ConfigFields as Fields, omitMissing } from './configFields.ts';
import type { Preparation } from './preparation.ts';
import type { ProfilePlan, RequestPlan } from './profilePlan.ts';

/** Returns the endpoint in AIPerf's shape, without secrets. */
export function toEndpoint({ request, tokenCount, preparation, inputs }: ProfilePlan): Fields {
  const { urls, endpoint, path, streaming, headers, apiKey, timeoutSeconds } = request;
  const headerNames = Object.keys(headers);
  return {
    urls: urls.map(redactUrl),
    type: endpoint,
    ...omitMissing({
      path: path === undefined ? undefined : redactPath(path),
      api_key: apiKey === undefined ? undefined : REDACTED,
      timeout: timeoutSeconds,
    }),
    ...(streaming ? { streaming } : {}),
    ...omitMissing({ session_header: request.sessionHeader }),
    ...toPreparation(preparation),
    ...(request.connectionReuse === 'pooled' ? {} : { connection_reuse: request.connectionReuse }),
    ...(request.legacyMaxTokens ? { use_legacy_max_tokens: true } : {}),
    ...(tokenCount === 'server' ? { use_server_token_count: true } : {}),
    ...(request.chunkUsage ? { per_chunk_usage: true } : {}),
    ...(inputs.stripsImages ? { uuid_and_strip: true } : {}),
    ...toTemplate(request),
    ...(headerNames.length > 0
      ? { headers: Object.fromEntries(headerNames.map(name => [name, REDACTED])) }
      : {}),
    ...toExtra(request),
  };
}

function toPreparation({ waitForModels, resetCache, profiler }: Preparation = {}): Fields {
  return omitMissing({
    wait_for_model_timeout: waitForModels?.timeoutS,
    wait_for_model_mode: waitForModels?.mode,
    wait_for_model_interval: waitForModels?.intervalS,
    reset_kv_cache: resetCache && { timeout_seconds: resetCache.timeoutS, path: resetCache.path },
    server_profiler: profiler && {
      timeout_seconds: profiler.start.timeoutS,
      start_path: profiler.start.path,
      stop_path: profiler.stop.path,
    },
  });
}

/** Returns the additional fields of bodies. The query of the API `raw` is one of them in AIPerf. */
function toExtra({ endpoint, extraInputs, format }: RequestPlan): Fields {
  const query = endpoint === 'raw' ? format?.responseField : undefined;
  const extra = { ...redactFields(extraInputs), ...omitMissing({ response_field: query }) };
  return Object.keys(extra).length > 0 ? { extra } : {};
}

function toTemplate({ endpoint, format }: RequestPlan): Fields {
  if (endpoint !== 'template') return {};
  return { template: omitMissing({ body: format?.template, response_field: format?.responseField }) };
}

/**
 * Redacts secrets in the query of a path. Adds a leading slash temporarily, because text before `@` would
 * count as userinfo.
 */
function redactPath(path: string): string {
  return path.startsWith('/') ? redactUrl(path) : redactUrl(`/${path}`).slice(1);
}

/** Redacts secrets in fields at any depth, by the rules for command lines. */
export function redactFields(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, redactValue(name, value)]));
}

function redactValue(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(item => redactValue(name, item));
  if (typeof value === 'object' && value !== null) return isSecretName(name) ? REDACTED : redactFields(value);
  const [text] = redactArguments([`--${name}=${String(value)}`]);
  return text!.endsWith(REDACTED) ? REDACTED : value;
}
