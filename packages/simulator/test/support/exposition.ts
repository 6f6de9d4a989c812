// A strict reader of the Prometheus text exposition format 0.0.4 for tests. It is independent of the parser that
// Servelens uses.

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ReadFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: Sample[];
}

const LINE_PATTERN = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL_PATTERN = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\n"])*)"(?:,|$)/y;
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

/** Reads a body. Throws for violations of the format. A page has HELP lines for all families or for none. */
export function readExposition(body: string): Map<string, ReadFamily> {
  if (body !== '' && !body.endsWith('\n')) throw new Error('the last line has no line feed');
  const families = new Map<string, ReadFamily>();
  const keys = new Set<string>();
  let help: { name: string; text: string } | undefined;
  let current: ReadFamily | undefined;
  for (const line of body.split('\n').slice(0, -1)) {
    const comment = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line);
    if (comment?.[1] === 'HELP') {
      help = { name: comment[2]!, text: comment[3]! };
    } else if (comment) {
      const [, , name, type] = comment;
      if (families.has(name!)) throw new Error(`family ${name} is declared twice`);
      if (help && help.name !== name) throw new Error(`TYPE of ${name} has no HELP before it`);
      current = { name: name!, type: type!, help: help?.text ?? '', samples: [] };
      families.set(name!, current);
    } else {
      readSample(line, current, keys);
    }
  }
  for (const family of families.values()) if (family.type === 'histogram') checkHistogram(family);
  return families;
}

function readSample(line: string, family: ReadFamily | undefined, keys: Set<string>): void {
  const match = LINE_PATTERN.exec(line);
  if (!match) throw new Error(`invalid sample line: ${line}`);
  const [, name, labelText = '', valueText] = match;
  if (!family || !(SUFFIXES[family.type] ?? ['']).some(suffix => family.name + suffix === name)) {
    throw new Error(`${name} does not belong to ${family?.name}`);
  }
  const labels = readLabels(labelText, line);
  const key = name + JSON.stringify(Object.entries(labels).sort());
  if (keys.has(key)) throw new Error(`duplicate series: ${line}`);
  keys.add(key);
  family.samples.push({ name: name!, labels, value: readValue(valueText!) });
}

function readLabels(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL_PATTERN.lastIndex = 0;
  while (LABEL_PATTERN.lastIndex < text.length) {
    const pair = LABEL_PATTERN.exec(text);
    if (!pair) throw new Error(`invalid labels: ${line}`);
    const escapes: Record<string, string> = { n: '\n', '"': '"', '\\': '\\' };
    labels[pair[1]!] = pair[2]!.replace(/\\(.)/g, (_, escaped: string) => escapes[escaped]!);
  }
  return labels;
}

function readValue(text: string): number {
  const special: Record<string, number> = {
    NaN: Number.NaN,
    Nan: Number.NaN,
    '+Inf': Number.POSITIVE_INFINITY,
    '-Inf': Number.NEGATIVE_INFINITY,
  };
  const value = special[text] ?? Number(text);
  if (Number.isNaN(value) && !(text in special)) throw new Error(`invalid number: ${text}`);
  return value;
}

/**
 * Checks that bounds increase, counts do not decrease, the last bucket is +Inf and equals the count, and a sum
 * exists.
 */
function checkHistogram(family: ReadFamily): void {
  const bySeries = new Map<string, Sample[]>();
  for (const sample of family.samples) {
    const { le: _, ...otherLabels } = sample.labels;
    const key = JSON.stringify(otherLabels);
    bySeries.set(key, [...(bySeries.get(key) ?? []), sample]);
  }
  for (const samples of bySeries.values()) {
    const buckets = samples.filter(({ name }) => name.endsWith('_bucket'));
    const bounds = buckets.map(({ labels }) => readValue(labels.le!));
    const values = buckets.map(({ value }) => value);
    const count = samples.find(({ name }) => name.endsWith('_count'))?.value;
    if (!isAscending(bounds, true) || !isAscending(values, false))
      throw new Error(`the bounds or counts of ${family.name} are not in ascending order`);
    if (bounds.at(-1) !== Number.POSITIVE_INFINITY || values.at(-1) !== count) {
      throw new Error(`the last bucket of ${family.name} is not +Inf or differs from its count`);
    }
    if (!samples.some(({ name }) => name.endsWith('_sum'))) throw new Error(`${family.name} has no sum`);
  }
}

function isAscending(values: readonly number[], strictly: boolean): boolean {
  return values.every((value, i) => i === 0 || (strictly ? value > values[i - 1]! : value >= values[i - 1]!));
}

/**
 * Returns the value of the first sample with this name and at least these labels. Throws if there is no such
 * sample.
 */
export function readSampleValue(
  families: ReadonlyMap<string, ReadFamily>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  for (const { samples } of families.values()) {
    for (const sample of samples) {
      const matches = Object.entries(labels).every(([label, value]) => sample.labels[label] === value);
      if (sample.name === name && matches) return sample.value;
    }
  }
  throw new Error(`no sample ${name} ${JSON.stringify(labels)}`);
}
