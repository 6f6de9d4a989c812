/// <reference path="../../src/snappyjs.d.ts" />
import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';
import { uncompress } from 'snappyjs';

const schema = protobuf.parse(readFileSync(new URL('../files/receivers.proto', import.meta.url), 'utf8'), {
  keepCase: true,
}).root;

/** A message as plain objects, with numbers instead of 64-bit integers. */
// biome-ignore lint/suspicious/noExplicitAny: messages have many forms, which the tests compare.
export type Message = any;

/** Decodes a message by the schema of the receivers. */
export function decode(type: string, bytes: Uint8Array): Message {
  const message = schema.lookupType(type);
  return message.toObject(message.decode(bytes), { longs: Number, arrays: true });
}

/** Encodes a message by the schema of the receivers. */
export function encode(type: string, message: Message): Uint8Array {
  return schema.lookupType(type).encode(message).finish();
}

/** Decodes a body of remote write. */
export function decodeWrite(type: 'WriteRequest' | 'Request', body: Uint8Array): Message {
  return decode(type, uncompress(body));
}

/** Converts attributes of OTLP to an object. */
export function readAttributes(list: Message): Record<string, string> {
  return Object.fromEntries(list.map(({ key, value }: Message) => [key, value.string_value]));
}

/** Lists the series of a message of remote write 1.0, as text such as `name{label="value"} 1 @1000`. */
export function listSeries({ timeseries }: Message): string[] {
  return timeseries.map(({ labels, samples }: Message) => {
    const pairs = labels.map(({ name, value }: Message) => [name, value]);
    return formatSeries(pairs, samples[0]);
  });
}

/** Lists the series of a message of remote write 2.0. */
export function listSymbolSeries({ symbols, timeseries }: Message): string[] {
  return timeseries.map(({ labels_refs: refs, samples }: Message) => {
    const pairs = [];
    for (let i = 0; i < refs.length; i += 2) pairs.push([symbols[refs[i]], symbols[refs[i + 1]]]);
    return formatSeries(pairs, samples[0]);
  });
}

function formatSeries(pairs: readonly (readonly string[])[], { value, timestamp }: Message): string {
  const [[, name] = [], ...labels] = pairs;
  return `${name}{${labels.map(([label, text]) => `${label}="${text}"`).join(',')}} ${value} @${timestamp}`;
}
