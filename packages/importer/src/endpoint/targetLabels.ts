import type { Labels } from '@org/core';
import { NAME_LABEL } from '../series.ts';

/** Prefix of a label of the server if a target label has the same name. */
const EXPORTED_PREFIX = 'exported_';

/**
 * Returns the labels of a target, which Prometheus adds to all of its series, from the metric `up`. If `up` was not
 * imported and the target is not scraped any more, only `job` and `instance` are known.
 */
export function findTargetLabels(
  up: Labels | undefined,
  job: string,
  instance: string,
): ReadonlyMap<string, string> {
  if (up) return new Map(up.filter(([name]) => name !== NAME_LABEL));
  return new Map(
    [
      ['job', job],
      ['instance', instance],
    ].filter((label): label is [string, string] => label[1] !== ''),
  );
}

/**
 * Returns the labels of a series as the server exposed them: without the name and the labels of the target. Prometheus
 * renames a label of the server to `exported_NAME` if the target has a label of this name.
 */
export function toServerLabels(labels: Labels, target: ReadonlyMap<string, string>): Labels {
  return labels
    .filter(([name, value]) => name !== NAME_LABEL && target.get(name) !== value)
    .map(([name, value]): Labels[number] => {
      const original = name.startsWith(EXPORTED_PREFIX) ? name.slice(EXPORTED_PREFIX.length) : name;
      return original !== name && target.has(original) ? [original, value] : [name, value];
    });
}
