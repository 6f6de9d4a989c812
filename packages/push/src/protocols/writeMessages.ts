import protobuf from 'protobufjs/light.js';
import type { FlatFamily } from '../metrics/flatSeries.ts';
import { toUnitSuffix } from '../metrics/prometheusNames.ts';

const repeated = (type: string, id: number) => ({ rule: 'repeated', type, id }) as const;

/** The messages of remote write 1.0 and 2.0, without the fields that are not used. */
const ROOT = protobuf.Root.fromJSON({
  nested: {
    WriteRequest: {
      fields: { timeseries: repeated('LabelledSeries', 1), metadata: repeated('FamilyMetadata', 3) },
    },
    LabelledSeries: { fields: { labels: repeated('Label', 1), samples: repeated('Sample', 2) } },
    Label: { fields: { name: { type: 'string', id: 1 }, value: { type: 'string', id: 2 } } },
    Sample: { fields: { value: { type: 'double', id: 1 }, timestamp: { type: 'int64', id: 2 } } },
    FamilyMetadata: {
      fields: {
        type: { type: 'uint32', id: 1 },
        metricFamilyName: { type: 'string', id: 2 },
        help: { type: 'string', id: 4 },
        unit: { type: 'string', id: 5 },
      },
    },
    Request: { fields: { symbols: repeated('string', 4), timeseries: repeated('SymbolSeries', 5) } },
    SymbolSeries: {
      fields: {
        labelsRefs: repeated('uint32', 1),
        samples: repeated('Sample', 2),
        metadata: { type: 'SeriesMetadata', id: 5 },
        createdTimestamp: { type: 'int64', id: 6 },
      },
    },
    SeriesMetadata: {
      fields: {
        type: { type: 'uint32', id: 1 },
        helpRef: { type: 'uint32', id: 3 },
        unitRef: { type: 'uint32', id: 4 },
      },
    },
  },
});

const WRITE_REQUEST = ROOT.lookupType('WriteRequest');
const REQUEST = ROOT.lookupType('Request');

/** The numbers of the types of metrics, which are the same in both versions. */
const TYPE_NUMBERS = { counter: 1, gauge: 2, histogram: 3 } as const;

/** The times of a request, in milliseconds since 1970. */
export interface WriteTimes {
  readonly startMs: number;
  readonly timeMs: number;
}

/** Encodes the message of remote write 1.0, `prometheus.WriteRequest`. */
export function encodeWriteRequest(families: readonly FlatFamily[], { timeMs }: WriteTimes): Uint8Array {
  return WRITE_REQUEST.encode({
    timeseries: families.flatMap(({ samples }) =>
      samples.map(({ name, labels, value }) => ({
        labels: [{ name: '__name__', value: name }, ...labels.map(([name, value]) => ({ name, value }))],
        samples: [{ value, timestamp: timeMs }],
      })),
    ),
    metadata: families.map(({ name, definition }) => ({
      type: TYPE_NUMBERS[definition.kind],
      metricFamilyName: name,
      help: definition.description,
      unit: toUnitSuffix(definition.unit),
    })),
  }).finish();
}

/** Encodes the message of remote write 2.0, `io.prometheus.write.v2.Request`. It contains each string once. */
export function encodeRequest(families: readonly FlatFamily[], { timeMs, startMs }: WriteTimes): Uint8Array {
  const symbols = new SymbolTable();
  const timeseries = families.flatMap(({ samples, definition }) => {
    const metadata = {
      type: TYPE_NUMBERS[definition.kind],
      helpRef: symbols.add(definition.description),
      unitRef: symbols.add(toUnitSuffix(definition.unit)),
    };
    return samples.map(({ name, labels, value }) => ({
      labelsRefs: [['__name__', name] as const, ...labels].flat().map(text => symbols.add(text)),
      samples: [{ value, timestamp: timeMs }],
      metadata,
      ...(definition.kind === 'gauge' ? {} : { createdTimestamp: startMs }),
    }));
  });
  return REQUEST.encode({ symbols: symbols.texts, timeseries }).finish();
}

/** The texts of a request. The first one is empty. */
class SymbolTable {
  readonly #numbers = new Map<string, number>([['', 0]]);

  get texts(): string[] {
    return [...this.#numbers.keys()];
  }

  /** Returns the number of a text. */
  add(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }
}
