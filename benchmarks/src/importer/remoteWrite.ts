/** A series with the samples of one request. */
export interface WrittenSeries {
  readonly labels: readonly (readonly [name: string, value: string])[];
  readonly timesMs: readonly number[];
  readonly values: readonly number[];
}

/**
 * Encodes a `prometheus.WriteRequest` in the block format of snappy, without compressing it
 * (https://github.com/prometheus/prometheus/blob/v2.42.0/prompb/remote.proto).
 */
export function encodeWriteRequest(series: readonly WrittenSeries[]): Buffer {
  return encodeSnappy(Buffer.concat(series.map(one => encodeField(1, encodeSeries(one)))));
}

function encodeSeries({ labels, timesMs, values }: WrittenSeries): Buffer {
  const sorted = labels.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Buffer.concat([
    ...sorted.map(([name, value]) =>
      encodeField(1, Buffer.concat([encodeField(1, Buffer.from(name)), encodeField(2, Buffer.from(value))])),
    ),
    encodeSamples(timesMs, values),
  ]);
}

/** Encodes samples: field 2, with a double in field 1 and a varint in field 2. */
function encodeSamples(timesMs: readonly number[], values: readonly number[]): Buffer {
  const out = Buffer.allocUnsafe(timesMs.length * 24);
  let at = 0;
  timesMs.forEach((timeMs, index) => {
    const start = at + 2;
    out[start] = (1 << 3) | 1;
    out.writeDoubleLE(values[index]!, start + 1);
    out[start + 9] = 2 << 3;
    const end = writeVarint(out, start + 10, timeMs);
    out[at] = (2 << 3) | 2;
    out[at + 1] = end - start;
    at = end;
  });
  return out.subarray(0, at);
}

function encodeField(field: number, content: Buffer): Buffer {
  const header = Buffer.allocUnsafe(11);
  header[0] = (field << 3) | 2;
  return Buffer.concat([header.subarray(0, writeVarint(header, 1, content.length)), content]);
}

function writeVarint(out: Buffer, start: number, value: number): number {
  let at = start;
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) out[at++] = (rest % 128) + 128;
  out[at++] = rest;
  return at;
}

/** Maximum length of a literal with a length of two bytes. */
const MAX_LITERAL = 65_536;

function encodeSnappy(bytes: Buffer): Buffer {
  const header = Buffer.allocUnsafe(10);
  const parts: Uint8Array[] = [header.subarray(0, writeVarint(header, 0, bytes.length))];
  for (let from = 0; from < bytes.length; from += MAX_LITERAL) {
    const literal = bytes.subarray(from, from + MAX_LITERAL);
    const tag = Buffer.from([61 << 2, (literal.length - 1) & 0xff, (literal.length - 1) >> 8]);
    parts.push(tag, literal);
  }
  return Buffer.concat(parts);
}
