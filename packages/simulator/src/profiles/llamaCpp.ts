import type { EngineObserver } from '../engine/observer.ts';
import { LLAMA_CPP_STYLE } from '../metrics/expositionStyle.ts';
import { Registry } from '../metrics/registry.ts';
import type { Counter, Gauge } from '../metrics/series.ts';
import { createTextPage, type Profile, type ProfileContext, toSeconds } from './profile.ts';

/** Names, types and HELP texts of the families, in the order of the page of llama.cpp (October 2026). */
const FAMILIES = {
  promptTokens: [
    'counter',
    'prompt_tokens_total',
    'Number of prompt tokens processed, excluding cached tokens',
  ],
  cachedTokens: ['counter', 'prompt_tokens_cached_total', 'Number of prompt tokens reused from the cache'],
  promptSeconds: ['counter', 'prompt_seconds_total', 'Total time spent processing prompts'],
  tokens: ['counter', 'tokens_predicted_total', 'Number of generation tokens processed'],
  tokenSeconds: ['counter', 'tokens_predicted_seconds_total', 'Total time spent generating tokens'],
  decodes: ['counter', 'n_decode_total', 'Total number of llama_decode() calls'],
  longest: ['counter', 'n_tokens_max', 'Largest observed sequence length (prompt + generation)'],
  draftTokens: ['counter', 'spec_decode_num_draft_tokens_total', 'Speculative: Total draft tokens generated'],
  acceptedTokens: [
    'counter',
    'spec_decode_num_accepted_tokens_total',
    'Speculative: Total draft tokens accepted by the target model',
  ],
  drafts: [
    'counter',
    'spec_decode_num_drafts_total',
    'Speculative: Total speculative decoding verification steps',
  ],
  // The page of the real server shows 0 for both rates, also under load.
  promptRate: ['gauge', 'prompt_tokens_seconds', 'Average prompt throughput in tokens/s'],
  tokenRate: ['gauge', 'predicted_tokens_seconds', 'Average generation throughput in tokens/s'],
  processing: ['gauge', 'requests_processing', 'Number of requests processing'],
  deferred: ['gauge', 'requests_deferred', 'Number of requests deferred'],
  busySlots: ['gauge', 'n_busy_slots_per_decode', 'Average number of busy slots per llama_decode() call'],
} as const;

type Series = {
  readonly [K in keyof typeof FAMILIES]: (typeof FAMILIES)[K][0] extends 'counter' ? Counter : Gauge;
};

/** Creates the profile of llama.cpp's server. Its series have no labels, and it has no histograms. */
export function createLlamaCppProfile(context: ProfileContext): Profile {
  const registry = new Registry(context);
  const series = declareSeries(registry);
  const slots = { busy: 0 };
  for (const engine of context.engines) engine.observe(createObserver(series, slots));
  const refresh = (): void => {
    series.processing.set(context.engines.reduce((sum, { running }) => sum + running, 0));
    series.deferred.set(context.engines.reduce((sum, { waiting }) => sum + waiting, 0));
    series.busySlots.set(series.decodes.value === 0 ? 0 : slots.busy / series.decodes.value);
  };
  const location = { name: 'metrics', path: '/metrics', port: 'main' } as const;
  return { pages: [createTextPage(location, registry, LLAMA_CPP_STYLE, refresh)] };
}

function declareSeries(registry: Registry): Series {
  const entries = Object.entries(FAMILIES).map(([key, [type, name, help]]) => {
    const fullName = `llamacpp:${name}`;
    const family =
      type === 'counter'
        ? registry.counter(fullName, help, { omitsTotal: true })
        : registry.gauge(fullName, help);
    return [key, family.labels({})];
  });
  return Object.fromEntries(entries) as Series;
}

/** Counts the prompt of a request with its first token, and its tokens when it has ended. */
function createObserver(series: Series, slots: { busy: number }): EngineObserver {
  return {
    onToken(request) {
      if (request.generated > 1) return;
      series.promptTokens.inc(request.spec.promptTokens - request.cachedTokens);
      series.cachedTokens.inc(request.cachedTokens);
      series.promptSeconds.inc(toSeconds(request.firstTokenNs - request.scheduledNs));
    },
    onFinished(request) {
      if (request.finishReason === 'abort' || request.generated === 0) return;
      series.tokens.inc(request.generated);
      series.tokenSeconds.inc(toSeconds(request.finishNs - request.firstTokenNs));
      const length = request.spec.promptTokens + request.generated;
      series.longest.value = Math.max(series.longest.value, length);
    },
    onStep(step) {
      series.decodes.inc();
      slots.busy += step.prefillRequests + step.decodeRequests;
    },
  };
}
