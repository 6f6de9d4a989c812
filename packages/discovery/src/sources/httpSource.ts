import { redactUrl } from '@org/core';
import type { Target, TargetSource } from '@org/scrape';
import { type JsonRequest, requestJson } from './jsonRequest.ts';
import { pollTargets } from './polling.ts';
import { parseTargetGroups } from './targetGroups.ts';

/** Targets that a server lists in Prometheus' format: https://prometheus.io/docs/prometheus/latest/http_sd/ */
export class HttpSource implements TargetSource {
  readonly name: string;
  readonly #request: JsonRequest;
  readonly #refreshMs: number;

  constructor(request: JsonRequest, refreshMs: number) {
    this.name = `http_sd ${redactUrl(request.url)}`;
    this.#refreshMs = refreshMs;
    this.#request = {
      ...request,
      headers: { 'x-prometheus-refresh-interval-seconds': String(refreshMs / 1000), ...request.headers },
    };
  }

  watch(signal: AbortSignal, onProblem: (message: string) => void): AsyncIterable<readonly Target[]> {
    return pollTargets({
      read: async () => parseTargetGroups(await requestJson(this.#request, signal), 'the response'),
      refreshMs: this.#refreshMs,
      signal,
      onProblem,
    });
  }
}
