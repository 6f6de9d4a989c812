import { redactUrl } from '@org/core';
import { parseExactTarget, type Target, TargetError, type TargetSource } from '@org/scrape';
import { type JsonRequest, requestJson } from './jsonRequest.ts';
import { checkLabels, toTargetLabels } from './labels.ts';
import { pollTargets } from './polling.ts';
import { SourceError } from './sourceError.ts';

const API_PATH = '/api/v1/targets';

/** A target as Prometheus lists it: https://prometheus.io/docs/prometheus/latest/querying/api/#targets */
interface ActiveTarget {
  readonly scrapeUrl?: unknown;
  readonly labels?: unknown;
}

/**
 * The active targets of a Prometheus server. The query of its URL is kept, such as `?scrapePool=vllm` for the targets of
 * one job.
 */
export class PrometheusSource implements TargetSource {
  readonly name: string;
  readonly #request: JsonRequest;
  readonly #refreshMs: number;

  constructor(request: JsonRequest, refreshMs: number) {
    this.name = `prometheus ${redactUrl(request.url)}`;
    this.#request = { ...request, url: buildApiUrl(request.url) };
    this.#refreshMs = refreshMs;
  }

  watch(signal: AbortSignal, onProblem: (message: string) => void): AsyncIterable<readonly Target[]> {
    return pollTargets({
      read: async () => parseResponse(await requestJson(this.#request, signal)),
      refreshMs: this.#refreshMs,
      signal,
      onProblem,
    });
  }
}

function parseResponse(value: unknown): Target[] {
  const { data } = (value ?? {}) as { readonly data?: { readonly activeTargets?: unknown } };
  if (!Array.isArray(data?.activeTargets))
    throw new SourceError('the server returned no list of active targets; expected the API of Prometheus');
  return data.activeTargets.map((target, index) => parseActiveTarget(target, `target ${index + 1}`));
}

function buildApiUrl(text: string): string {
  const url = new URL(text);
  const path = url.pathname.replace(/\/+$/, '');
  if (!path.endsWith(API_PATH)) url.pathname = path + API_PATH;
  url.searchParams.set('state', 'active');
  return url.href;
}

function parseActiveTarget(value: unknown, place: string): Target {
  const { scrapeUrl, labels } = (value ?? {}) as ActiveTarget;
  if (typeof scrapeUrl !== 'string') throw new SourceError(`${place} has no scrapeUrl`);
  try {
    return {
      ...parseExactTarget(scrapeUrl),
      labels: toTargetLabels(checkLabels(labels ?? {}, place), place),
    };
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    throw new SourceError(`${place}: ${error.message}`);
  }
}
