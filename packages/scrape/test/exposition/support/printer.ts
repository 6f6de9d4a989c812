import type { Labels, PlainFamily, PlainSample } from './plainFamilies.ts';

/** Prints a family in the classic format. */
export function printClassic(family: PlainFamily): string {
  const { name, type, help, samples } = family;
  // In the classic format, the metadata lines of a counter contain the sample name, which ends in `_total`.
  const declared = printName(type === 'counter' ? `${name}_total` : name);
  const escaped = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  const lines = samples.map(sample => {
    const time = sample.timestamp === undefined ? '' : ` ${Math.round(sample.timestamp * 1000)}`;
    return `${printSeries(sample)} ${printNumber(sample.value)}${time}\n`;
  });
  return `# HELP ${declared} ${escaped}\n# TYPE ${declared} ${type}\n${lines.join('')}`;
}

/** Prints a family in OpenMetrics, without `# EOF`. */
export function printOpenMetrics(family: PlainFamily): string {
  const { name, type, help, unit, samples } = family;
  const declared = printName(name);
  const unitLine = unit === undefined ? '' : `# UNIT ${declared} ${unit}\n`;
  const lines = samples.map(sample => {
    const time = sample.timestamp === undefined ? '' : ` ${sample.timestamp}`;
    return `${printSeries(sample)} ${printNumber(sample.value)}${time}${printExemplar(sample)}\n`;
  });
  return `# TYPE ${declared} ${type}\n${unitLine}# HELP ${declared} ${escapeValue(help)}\n${lines.join('')}`;
}

function printExemplar({ exemplar }: PlainSample): string {
  if (!exemplar) return '';
  const time = exemplar.timestamp === undefined ? '' : ` ${exemplar.timestamp}`;
  return ` # {${printLabels(exemplar.labels)}} ${printNumber(exemplar.value)}${time}`;
}

function printSeries({ name, labels }: PlainSample): string {
  if (isPlain(name)) return labels.length === 0 ? name : `${name}{${printLabels(labels)}}`;
  return `{${[printName(name), printLabels(labels)].filter(part => part !== '').join(',')}}`;
}

function printLabels(labels: Labels): string {
  return labels.map(([name, value]) => `${printLabelName(name)}="${escapeValue(value)}"`).join(',');
}

function printLabelName(name: string): string {
  return /^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name) ? name : `"${escapeValue(name)}"`;
}

function printName(name: string): string {
  return isPlain(name) ? name : `"${escapeValue(name)}"`;
}

function isPlain(name: string): boolean {
  return /^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(name);
}

function escapeValue(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function printNumber(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (Object.is(value, -0)) return '-0';
  return Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : '-Inf';
}
