import type { Labels } from './labels.ts';

/** So many texts, and labels of so many names and values, are remembered; then all are forgotten, and those in use live on by themselves. */
const MOST = 4096;
/** Longer ones are seldom the same elsewhere. */
const LONGEST = 128;

const texts = new Map<string, string>();
const byName = new Map<string, Map<string, Labels[number]>>();
let pairs = 0;

/**
 * The same string for texts that are equal: fifty servers of one kind say the same names, labels and bounds, each in memory of
 * its own.
 */
export function sharedText(text: string): string {
  if (text.length > LONGEST) return text;
  const known = texts.get(text);
  if (known !== undefined) return known;
  if (texts.size >= MOST) texts.clear();
  texts.set(text, text);
  return text;
}

/** The same labels, made of pairs that all layouts share. */
export function sharedLabels(labels: Labels): Labels {
  return labels.map(sharedPair);
}

function sharedPair(pair: Labels[number]): Labels[number] {
  const [name, value] = pair;
  if (name.length > LONGEST || value.length > LONGEST) return pair;
  let values = byName.get(name);
  const known = values?.get(value);
  if (known) return known;
  if (pairs++ >= MOST) {
    byName.clear();
    pairs = 0;
    values = undefined;
  }
  if (!values) {
    values = new Map();
    byName.set(name, values);
  }
  const shared: Labels[number] = [sharedText(name), sharedText(value)];
  values.set(value, shared);
  return shared;
}
