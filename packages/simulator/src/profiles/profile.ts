import type { Engine } from '../engine/engine.ts';
import { CONTENT_TYPES, ExpositionWriter } from '../metrics/exposition.ts';
import type { ExpositionStyle } from '../metrics/expositionStyle.ts';
import type { Registry } from '../metrics/registry.ts';
import type { TruthRecorder } from '../truth.ts';

/** The kinds of server that can be simulated. */
export const SERVER_KINDS = ['vllm', 'sglang', 'trtllm', 'dynamo', 'triton'] as const;

/** A kind of server that can be simulated. */
export type ServerKind = (typeof SERVER_KINDS)[number];

/** Dependencies of a profile. */
export interface ProfileContext {
  readonly engines: readonly Engine[];
  /** Name of the served model. */
  readonly model: string;
  /** Returns the simulated time since the start, ns. */
  readonly nowNs: () => number;
  /** Returns the simulated Unix time in seconds, now or at a simulated time (ns). */
  readonly getTimeS: (atNs?: number) => number;
  readonly truth: TruthRecorder | undefined;
  readonly trtllm: TrtllmPages;
}

/** Pages that TensorRT-LLM serves. */
export interface TrtllmPages {
  /** Whether to serve the JSON page at /metrics (`enable_iter_perf_stats`), whose reads are destructive. */
  readonly json: boolean;
  /** Whether the JSON page has a content type. */
  readonly jsonContentType: boolean;
  /** Whether to serve the exposition at /prometheus/metrics (`return_perf_metrics`). */
  readonly exposition: boolean;
}

/** A completed HTTP request, for servers that count them. */
export interface HttpExchange {
  readonly handler: string;
  readonly method: string;
  readonly status: number;
  readonly durationS: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
}

/** Content of a metrics page. */
export interface PageBody {
  readonly body: string;
  /** Undefined for a response without a content type. */
  readonly contentType: string | undefined;
}

/** A metrics page. */
export interface Page {
  /** Unique name among the pages of a server. */
  readonly name: string;
  readonly path: string;
  /** `main`: the port for requests. `side`: a second port. */
  readonly port: 'main' | 'side';
  readonly format: 'text' | 'json';
  /** True if the server compresses the page for clients that accept gzip. */
  readonly supportsGzip: boolean;
  /** Returns the current content. `accept` is the Accept header of the request. */
  read(accept: string): PageBody;
}

/** The metrics pages of a kind of server, fed by the events of its engines. */
export interface Profile {
  readonly pages: readonly Page[];
  /** Counts an HTTP request, if the server does that. */
  recordExchange?(exchange: HttpExchange): void;
}

/** Creates a profile; called again after each restart of the server. */
export type CreateProfile = (context: ProfileContext) => Profile;

/** Creates a page in Prometheus' text formats. `refresh` updates values that are computed on read. */
export function createTextPage(
  place: Pick<Page, 'name' | 'path' | 'port'>,
  registry: Registry,
  style: ExpositionStyle,
  refresh: () => void = () => {},
): Page {
  const writer = new ExpositionWriter(registry, style);
  return {
    ...place,
    format: 'text',
    supportsGzip: style.supportsGzip,
    read(accept) {
      refresh();
      const format =
        style.supportsOpenMetrics && accept.includes('application/openmetrics-text')
          ? 'openmetrics'
          : 'classic';
      return { body: writer.write(format), contentType: CONTENT_TYPES[format] };
    },
  };
}

/** Converts nanoseconds to seconds. */
export function toSeconds(ns: number): number {
  return ns / 1e9;
}
