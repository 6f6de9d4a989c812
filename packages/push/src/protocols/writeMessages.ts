import protobuf from 'protobufjs/light.js';
import type { FlatFamily, FlatSample } from '../metrics/flatSeries.ts';
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
    // The value is a double, which is written as its bits, because JavaScript does not preserve the bits of a special NaN.
    Sample: {
      fields: {
        value: { type: 'fixed64', id: 1 },
        timestamp: { type: 'int64', id: 2 },
        startTimestamp: { type: 'int64', id: 3 },
      },
    },
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
        // The start of the series in drafts of 2.0, which older receivers read. It is now in the sample.
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

/** Properties that all samples of a request share. Times are in milliseconds since 1970. */
export interface WriteContext {
  readonly startMs: number;
  readonly timeMs: number;
  /** True if the series have ended, so that stale markers are written instead of values. */
  readonly isEnd: boolean;
}

/** Encodes the message of remote write 1.0, `prometheus.WriteRequest`. */
export function encodeWriteRequest(
  families: readonly FlatFamily[],
  { timeMs, isEnd }: WriteContext,
): Uint8Array {
  return WRITE_REQUEST.encode({
    timeseries: families.flatMap(({ samples }) =>
      samples.map(({ name, labels, value }) => ({
        labels: [{ name: '__name__', value: name }, ...labels.map(([name, value]) => ({ name, value }))],
        samples: [{ value: isEnd ? STALE_BITS : toBits(value), timestamp: timeMs }],
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
export function encodeRequest(
  families: readonly FlatFamily[],
  { timeMs, startMs, isEnd }: WriteContext,
): Uint8Array {
  const symbols = new SymbolTable();
  const timeseries = families.flatMap(({ samples, definition }) => {
    const metadata = {
      type: TYPE_NUMBERS[definition.kind],
      helpRef: symbols.add(definition.description),
      unitRef: symbols.add(toUnitSuffix(definition.unit)),
    };
    const isCumulative = definition.kind !== 'gauge';
    const times = { timestamp: timeMs, ...(isCumulative ? { startTimestamp: startMs } : {}) };
    return samples.map(({ name, labels, value }) => ({
      labelsRefs: symbols.addLabels(name, labels),
      samples: [{ value: isEnd ? STALE_BITS : toBits(value), ...times }],
      metadata,
      ...(isCumulative ? { createdTimestamp: startMs } : {}),
    }));
  });
  return REQUEST.encode({ symbols: symbols.texts, timeseries }).finish();
}

/** The halves of a 64-bit value. */
interface Bits {
  readonly low: number;
  readonly high: number;
}

/** The NaN by which Prometheus marks that a series has ended. */
const STALE_BITS: Bits = { low: 2, high: 0x7ff0_0000 };

const VIEW = new DataView(new ArrayBuffer(8));

/** Returns the bits of a double. */
function toBits(value: number): Bits {
  VIEW.setFloat64(0, value);
  return { low: VIEW.getUint32(4), high: VIEW.getUint32(0) };
}

/** The texts of a request. The first one is empty. */
class SymbolTable {
  readonly #numbers = new Map<string, number>([['', 0]]);

  get texts(): string[] {
    return [...this.#numbers.keys()];
  }

  /** Returns the numbers of the texts of a series. */
  addLabels(name: string, labels: FlatSample['labels']): number[] {
    const numbers = [this.add('__name__'), this.add(name)];
    for (const [label, value] of labels) numbers.push(this.add(label), this.add(value));
    return numbers;
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
