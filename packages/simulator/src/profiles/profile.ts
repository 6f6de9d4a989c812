import type { Engine } from '../engine/engine.ts';
import { contentTypes, ExpositionWriter } from '../metrics/exposition.ts';
import type { Registry } from '../metrics/registry.ts';
import type { Style } from '../metrics/style.ts';
import type { TruthRecorder } from '../truth.ts';

/** The kinds of server that can be played. */
export const serverKinds = ['vllm', 'sglang', 'trtllm', 'dynamo', 'triton'] as const;

export type ServerKind = (typeof serverKinds)[number];

/** What a profile has to go by. */
export interface ProfileContext {
  readonly engines: readonly Engine[];
  /** Name of the served model. */
  readonly model: string;
  /** Simulated time since the start, ns. */
  readonly nowNs: () => number;
  /** Wall time that the simulation pretends it is, now or at a simulated time (ns), in seconds since 1970. */
  readonly clockS: (atNs?: number) => number;
  readonly truth: TruthRecorder | undefined;
  readonly trtllm: TrtllmPages;
}

/** Which pages TensorRT-LLM answers on. */
export interface TrtllmPages {
  /** The destructive JSON page at /metrics (`enable_iter_perf_stats`). */
  readonly json: boolean;
  /** Whether the JSON page says what it is, or goes without a content type. */
  readonly jsonContentType: boolean;
  /** The exposition at /prometheus/metrics (`return_perf_metrics`). */
  readonly exposition: boolean;
}

/** One HTTP request that was answered, for servers that count them. */
export interface HttpExchange {
  readonly handler: string;
  readonly method: string;
  readonly status: number;
  readonly durationS: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
}

/** What a page answers. */
export interface PageBody {
  readonly body: string;
  /** Undefined for an answer that does not say what it is. */
  readonly contentType: string | undefined;
}

/** One place where metrics can be read. */
export interface Page {
  /** What it is called in the API: unique among the pages of a server. */
  readonly name: string;
  readonly path: string;
  /** `main`: the port that also takes requests. `side`: a port of its own. */
  readonly port: 'main' | 'side';
  readonly format: 'text' | 'json';
  /** Whether the server compresses it for clients that accept gzip. */
  readonly gzip: boolean;
  /** Reads the page. `accept` is the request's Accept header. */
  read(accept: string): PageBody;
}

/** The outward side of a kind of server: its pages, fed by what happens in its engines. */
export interface Profile {
  readonly pages: readonly Page[];
  /** Takes note of an HTTP request, where the server counts them. */
  exchanged?(exchange: HttpExchange): void;
}

/** Makes a profile; called once for each life of the server. */
export type ProfileMaker = (context: ProfileContext) => Profile;

/** A page in Prometheus' text formats. `refresh` brings values up to date that are only looked up when read. */
export function textPage(
  place: Pick<Page, 'name' | 'path' | 'port'>,
  registry: Registry,
  style: Style,
  refresh: () => void = () => {},
): Page {
  const writer = new ExpositionWriter(registry, style);
  return {
    ...place,
    format: 'text',
    gzip: style.gzip,
    read(accept) {
      refresh();
      const format =
        style.openMetrics && accept.includes('application/openmetrics-text') ? 'openmetrics' : 'classic';
      return { body: writer.write(format), contentType: contentTypes[format] };
    },
  };
}

/** Nanoseconds as seconds. */
export function seconds(ns: number): number {
  return ns / 1e9;
}
