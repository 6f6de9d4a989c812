const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** A name that needs no quotes: https://prometheus.io/docs/concepts/data_model/, "Metric names and labels". */
export function isMetricName(name: string): boolean {
  return METRIC_NAME.test(name);
}

export function isLabelName(name: string): boolean {
  return LABEL_NAME.test(name);
}

/** A label value without its escapes: `\\`, `\"` and `\n`. Any other backslash stands for itself. */
export function unescapeValue(text: string): string {
  return text.includes('\\') ? text.replace(/\\([\\"n])/g, (_, c: string) => (c === 'n' ? '\n' : c)) : text;
}

/** HELP text without its escapes: `\\` and `\n` only. */
export function unescapeHelp(text: string): string {
  return text.includes('\\') ? text.replace(/\\([\\n])/g, (_, c: string) => (c === 'n' ? '\n' : c)) : text;
}
