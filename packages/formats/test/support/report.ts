import { formatPath } from '../../src/json/path.ts';
import type { Report } from '../../src/rules/findings.ts';

/** Runs a check and returns its findings as `rule path: message`, with the path in jq syntax. */
export function collectFindings(check: (report: Report) => void): string[] {
  const findings: string[] = [];
  check((rule, path, message) => findings.push(`${rule} ${formatPath(path)}: ${message}`));
  return findings;
}
