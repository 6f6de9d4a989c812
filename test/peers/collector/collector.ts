import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort, type Service, startService } from '../../service.ts';
import { readLines } from '../support/exports.ts';

/** The attributes of a point or a resource. */
export type Attributes = Readonly<Record<string, string>>;

/** A point as the collector writes it. Numbers of 64 bits are texts. */
export interface CollectedPoint {
  readonly metric: string;
  readonly unit: string;
  readonly kind: 'gauge' | 'sum' | 'histogram';
  readonly resource: Attributes;
  readonly attributes: Attributes;
  readonly startTimeUnixNano: string;
  readonly timeUnixNano: string;
  readonly asDouble?: number;
  readonly count?: string;
  readonly sum?: number;
  readonly bucketCounts?: readonly string[];
  readonly explicitBounds?: readonly number[];
  readonly flags?: number;
}

/** A collector with a receiver for each name, which writes what it receives to a file for each name. */
export class Collector {
  readonly #service: Service;
  readonly #folder: string;
  readonly #ports: Readonly<Record<string, number>>;

  private constructor(service: Service, folder: string, ports: Readonly<Record<string, number>>) {
    this.#service = service;
    this.#folder = folder;
    this.#ports = ports;
  }

  static async start(peer: string, folder: string, names: readonly string[]): Promise<Collector> {
    const ports: Record<string, number> = {};
    for (const name of names) ports[name] = await findFreePort();
    const file = join(folder, 'collector.yml');
    const service = await startService(
      join(peer, 'collector'),
      port => {
        // JSON is valid YAML.
        writeFileSync(file, JSON.stringify(createConfiguration(folder, ports, port)));
        return [`--config=file:${file}`];
      },
      '/',
      { timeoutMs: 120_000 },
    );
    return new Collector(service, folder, ports);
  }

  /** Returns the URL of a receiver. */
  getUrl(name: string): string {
    return `http://127.0.0.1:${this.#ports[name]}`;
  }

  /** Reads the points that a receiver has received, in order. */
  readPoints(name: string): CollectedPoint[] {
    const file = toFile(this.#folder, name);
    if (!existsSync(file)) return [];
    return readLines<CollectedRequest>(file).flatMap(({ resourceMetrics }) =>
      resourceMetrics.flatMap(readResource),
    );
  }

  stop(): Promise<void> {
    return this.#service.stop();
  }
}

function toFile(folder: string, name: string): string {
  return join(folder, `${name}.jsonl`);
}

function createConfiguration(
  folder: string,
  ports: Readonly<Record<string, number>>,
  healthPort: number,
): object {
  const names = Object.keys(ports);
  const map = (create: (name: string) => readonly [string, object]): object =>
    Object.fromEntries(names.map(create));
  return {
    receivers: map(name => [
      `otlp/${name}`,
      { protocols: { http: { endpoint: `127.0.0.1:${ports[name]}` } } },
    ]),
    exporters: map(name => [`file/${name}`, { path: toFile(folder, name), flush_interval: '100ms' }]),
    extensions: { health_check: { endpoint: `127.0.0.1:${healthPort}` } },
    service: {
      extensions: ['health_check'],
      telemetry: { metrics: { level: 'none' } },
      pipelines: map(name => [
        `metrics/${name}`,
        { receivers: [`otlp/${name}`], exporters: [`file/${name}`] },
      ]),
    },
  };
}

interface CollectedRequest {
  readonly resourceMetrics: readonly CollectedResource[];
}

interface CollectedResource {
  readonly resource: { readonly attributes: readonly KeyValue[] };
  readonly scopeMetrics: readonly { readonly metrics: readonly CollectedMetric[] }[];
}

interface KeyValue {
  readonly key: string;
  readonly value: { readonly stringValue: string };
}

type JsonPoint = Omit<CollectedPoint, 'metric' | 'unit' | 'kind' | 'resource' | 'attributes'> & {
  readonly attributes: readonly KeyValue[];
};

interface CollectedMetric
  extends Partial<Record<CollectedPoint['kind'], { readonly dataPoints: readonly JsonPoint[] }>> {
  readonly name: string;
  readonly unit?: string;
}

const KINDS = ['gauge', 'sum', 'histogram'] as const;

function readResource({ resource, scopeMetrics }: CollectedResource): CollectedPoint[] {
  return scopeMetrics
    .flatMap(({ metrics }) => metrics)
    .flatMap(metric =>
      KINDS.flatMap(kind =>
        (metric[kind]?.dataPoints ?? []).map(point => ({
          ...point,
          metric: metric.name,
          unit: metric.unit ?? '',
          kind,
          resource: readAttributes(resource.attributes),
          attributes: readAttributes(point.attributes),
        })),
      ),
    );
}

function readAttributes(list: readonly KeyValue[]): Attributes {
  return Object.fromEntries(list.map(({ key, value }) => [key, value.stringValue]));
}
