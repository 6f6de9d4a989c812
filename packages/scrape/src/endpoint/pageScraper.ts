import type { Frame, Layout } from '@org/core';
import type { Reading } from '../exposition/bodyState.ts';
import { detectFormat, type ExpositionFormat } from '../exposition/contentType.ts';
import { ExpositionError } from '../exposition/exposition.ts';
import { ExpositionReader } from '../exposition/expositionReader.ts';
import type { FetchResult } from '../http/exchange.ts';
import { type Failure, FetchError } from '../http/failure.ts';
import { type BodyLimits, checkLabels, checkSampleCount, DEFAULT_LIMITS } from '../http/limits.ts';
import type { Scrape } from './scrape.ts';
import { restoreQuerySecrets, type Target } from './target.ts';
import type { TargetSecrets } from './targetSecrets.ts';

/** Fetches URLs for one endpoint. Implemented by `Fetcher`, and by fakes in tests. */
export interface UrlFetcher {
  fetch(url: string, signal?: AbortSignal): Promise<FetchResult>;
  close(): Promise<void>;
}

/** Fetches and parses the metrics pages of a target, within its limits and without its secrets. */
export class PageScraper {
  readonly #target: Target;
  readonly #secrets: TargetSecrets;
  readonly #limits: BodyLimits;
  readonly #reader: ExpositionReader;

  constructor(target: Target, secrets: TargetSecrets, layout: Layout) {
    const limits = { ...DEFAULT_LIMITS, ...target.access?.limits };
    this.#target = target;
    this.#secrets = secrets;
    this.#limits = limits;
    this.#reader = new ExpositionReader(layout, exposition => checkLabels(exposition, limits));
  }

  async scrape(fetcher: UrlFetcher, url: string, signal: AbortSignal | undefined): Promise<Scrape> {
    const fetched = await fetcher.fetch(restoreQuerySecrets(this.#target, url), signal);
    if (!fetched.body) return { fetched, failure: this.#redact(fetched.failure!) };
    this.#secrets.maskBody(fetched.body);
    try {
      checkSampleCount(fetched.body, this.#limits);
      const format = detectFormat(fetched.contentType) as ExpositionFormat;
      const reading = this.#reader.read(fetched.body, format);
      return { fetched, reading, frame: toFrame(fetched, reading) };
    } catch (error) {
      if (error instanceof FetchError) {
        const { reason, message } = error;
        return { fetched, failure: this.#redact({ reason, message, cause: error }) };
      }
      if (!(error instanceof ExpositionError)) throw error;
      return { fetched, failure: this.#redact(toNotPrometheusFailure(error)) };
    } finally {
      fetched.release?.();
    }
  }

  /** Removes secrets that the server may have echoed in an error message. */
  #redact(failure: Failure): Failure {
    return { ...failure, message: this.#secrets.redactText(failure.message) };
  }
}

function toFrame(fetched: FetchResult, reading: Reading): Frame {
  const timestampNs = fetched.firstByteNs!;
  return {
    timestampNs,
    latencyNs: Number(timestampNs - fetched.sentNs),
    changed: reading.changed,
    values: reading.values,
  };
}

function toNotPrometheusFailure(error: ExpositionError): Failure {
  const message = `returned a body that is not Prometheus exposition format (${error.message})`;
  return { reason: 'not_prometheus', message, cause: error };
}
