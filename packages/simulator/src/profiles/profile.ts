import type { Engine } from '../engine/engine.ts';
import type { ServerFault } from '../faults/serverFault.ts';
import { CONTENT_TYPES, ExpositionWriter } from '../metrics/exposition.ts';
import type { ExpositionStyle } from '../metrics/expositionStyle.ts';
import type { Registry } from '../metrics/registry.ts';
import type { TruthRecorder } from '../truth.ts';

/** The kinds of servers that can be simulated. */
export const SERVER_KINDS = [
  'vllm',
  'sglang',
  'trtllm',
  'dynamo',
  'triton',
  'llamacpp',
  'sglang-router',
] as const;

/** A kind of server that can be simulated. */
export type ServerKind = (typeof SERVER_KINDS)[number];

/** Dependencies of a profile. */
export interface ProfileContext {
  readonly engines: readonly Engine[];
  /** Name of the served model. */
  readonly model: string;
  /** Returns the simulated time since the start, in ns. */
  readonly nowNs: () => number;
  /** Returns the simulated Unix time, in seconds, `atNs` after the start; the current time by default. */
  readonly getTimeS: (atNs?: number) => number;
  readonly truth: TruthRecorder | undefined;
  readonly trtllm: TrtllmPages;
  readonly dynamoRouter: DynamoRouter;
  readonly serverFaults: readonly ServerFault[];
  readonly kvCacheMetrics: boolean;
}

/** How Dynamo's frontend chooses a worker: in turn, or by the contents of the workers' KV caches. */
export const DYNAMO_ROUTERS = ['round-robin', 'kv'] as const;

/** See {@link DYNAMO_ROUTERS}. */
export type DynamoRouter = (typeof DYNAMO_ROUTERS)[number];

/** The metrics pages to serve for TensorRT-LLM. */
export interface TrtllmPages {
  /** Serve iteration statistics as JSON at /metrics (`enable_iter_perf_stats`). Reads are destructive. */
  readonly json: boolean;
  /** Send a content type with the JSON page. */
  readonly jsonContentType: boolean;
  /** Serve Prometheus metrics at /prometheus/metrics (`return_perf_metrics`). */
  readonly exposition: boolean;
}

/** A completed HTTP request, as recorded by servers with HTTP metrics. */
export interface HttpExchange {
  readonly handler: string;
  readonly method: string;
  readonly status: number;
  readonly durationS: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
}

/** The response of a metrics page. */
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
  /** `main` is the port for requests, `side` a second port. */
  readonly port: 'main' | 'side';
  readonly format: 'text' | 'json';
  /** True if the server compresses the page for clients that accept gzip. */
  readonly supportsGzip: boolean;
  /** Returns the current response. `accept` is the Accept header of the request. */
  read(accept: string): PageBody;
}

/** The metrics pages of a kind of server, updated by the events of its engines. */
export interface Profile {
  readonly pages: readonly Page[];
  /** Records an HTTP request; undefined for servers without HTTP metrics. */
  recordExchange?(exchange: HttpExchange): void;
}

/** Creates a profile; called again after each restart of the server. */
export type CreateProfile = (context: ProfileContext) => Profile;

/** Creates a page in Prometheus' text formats. `refresh` updates the values that are computed on each read. */
export function createTextPage(
  location: Pick<Page, 'name' | 'path' | 'port'>,
  registry: Registry,
  style: ExpositionStyle,
  refresh: () => void = () => {},
): Page {
  const writer = new ExpositionWriter(registry, style);
  return {
    ...location,
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
