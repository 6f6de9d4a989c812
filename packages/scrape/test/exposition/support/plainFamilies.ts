import type { Exposition, Sample } from '../../../src/exposition/exposition.ts';

export type Labels = [string, string][];

/** A family in the form that tests compare: without the offsets of its samples. */
export interface PlainFamily {
  name: string;
  type: string;
  help: string;
  unit?: string;
  samples: PlainSample[];
}

export interface PlainSample {
  name: string;
  labels: Labels;
  value: number;
  timestamp?: number;
  exemplar?: { labels: Labels; value: number; timestamp?: number };
  native?: true;
}

/** Returns the families of a body without value and line offsets. */
export function toPlainFamilies(exposition: Exposition): PlainFamily[] {
  return exposition.families.map(({ name, type, help, unit, samples }) => ({
    name,
    type,
    help,
    ...(unit !== undefined && { unit }),
    samples: samples.map(toPlainSample),
  }));
}

function toPlainSample(sample: Sample): PlainSample {
  const { name, labels, value, timestamp, exemplar, native } = sample;
  return {
    name,
    labels: labels.map(([label, text]) => [label, text]),
    value,
    ...(timestamp !== undefined && { timestamp }),
    ...(exemplar && {
      exemplar: {
        labels: exemplar.labels.map(([label, text]) => [label, text]),
        value: exemplar.value,
        ...(exemplar.timestamp !== undefined && { timestamp: exemplar.timestamp }),
      },
    }),
    ...(native && { native }),
  };
}
