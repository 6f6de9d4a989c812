import type { ScrapeFault } from './fault.ts';

/** Returns a body in a text format without the metrics that the faults omit. */
export function omitMetrics(body: string, faults: readonly ScrapeFault[]): string {
  const prefixes = faults.flatMap(fault => (fault.kind === 'omit' ? fault.metric : []));
  if (prefixes.length === 0) return body;
  return body
    .split('\n')
    .filter(line => {
      const name = line.replace(/^# (?:HELP|TYPE|UNIT) /, '');
      return !prefixes.some(prefix => name.startsWith(prefix));
    })
    .join('\n');
}
