import type { Labels } from './labels.ts';

/** Maximum number of pooled strings, and of pooled labels. A full pool is cleared; strings in use stay alive. */
const MAX_ENTRIES = 4096;
/** Maximum length of pooled strings. Longer strings are rarely repeated. */
const MAX_LENGTH = 128;

const strings = new Map<string, string>();
const labelsByName = new Map<string, Map<string, Labels[number]>>();
let labelCount = 0;

/**
 * Returns one shared instance for equal strings. Servers of the same kind expose the same names, labels and
 * bounds; without sharing, layouts would take a third more memory.
 */
export function internString(text: string): string {
  if (text.length > MAX_LENGTH) return text;
  const pooled = strings.get(text);
  if (pooled !== undefined) return pooled;
  if (strings.size >= MAX_ENTRIES) strings.clear();
  strings.set(text, text);
  return text;
}

/** Returns equal labels whose pairs are shared between layouts. */
export function internLabels(labels: Labels): Labels {
  return labels.map(internPair);
}

function internPair(pair: Labels[number]): Labels[number] {
  const [name, value] = pair;
  if (name.length > MAX_LENGTH || value.length > MAX_LENGTH) return pair;
  let values = labelsByName.get(name);
  const pooled = values?.get(value);
  if (pooled) return pooled;
  if (labelCount++ >= MAX_ENTRIES) {
    labelsByName.clear();
    labelCount = 0;
    values = undefined;
  }
  if (!values) {
    values = new Map();
    labelsByName.set(name, values);
  }
  const shared: Labels[number] = [internString(name), internString(value)];
  values.set(value, shared);
  return shared;
}
