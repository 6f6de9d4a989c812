import { RULE_SEVERITIES, type RuleId } from '../../generated/ruleSeverities.ts';
import type { Issue } from '../../validate/issue.ts';

/** Maximum number of findings kept per rule. Further findings are only counted. */
const MAX_KEPT_PER_RULE = 10;
/** Maximum length of a value in a finding, in characters. Longer values are truncated. */
const MAX_VALUE_LENGTH = 200;

/** Collects the findings about one file in bounded memory. */
export class Findings {
  readonly #kept: Issue[] = [];
  readonly #counts = new Map<RuleId, number>();

  /** Adds a finding at a cell, or at the place that a text describes. */
  add(
    rule: RuleId,
    place: string | Pick<Issue, 'place' | 'row' | 'column'>,
    message: string,
    value?: unknown,
  ): void {
    const count = (this.#counts.get(rule) ?? 0) + 1;
    this.#counts.set(rule, count);
    if (count > MAX_KEPT_PER_RULE) return;
    this.#kept.push({
      rule,
      severity: RULE_SEVERITIES[rule],
      path: [],
      ...(typeof place === 'string' ? { place } : place),
      message,
      ...(value !== undefined && { value: truncate(value) }),
    });
  }

  /**
   * Returns the kept findings in order, followed by a finding with the number of omitted findings for each
   * rule that exceeds the limit.
   */
  listIssues(): Issue[] {
    const summaries = Array.from(this.#counts).flatMap(([rule, count]): Issue[] => {
      const omitted = count - MAX_KEPT_PER_RULE;
      if (omitted <= 0) return [];
      const message = `${omitted.toLocaleString('en-US')} more findings of this rule are not listed`;
      return [{ rule, severity: RULE_SEVERITIES[rule], path: [], place: 'the file', message }];
    });
    return [...this.#kept, ...summaries];
  }
}

/** Converts bigints to strings, which JSON requires, and truncates long strings. */
function truncate(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'string' || value.length <= MAX_VALUE_LENGTH) return value;
  return `${value.slice(0, MAX_VALUE_LENGTH)}…`;
}

/**
 * Returns the place of a row, or of one of its cells. Rows are counted from 0, as in DuckDB's file_row_number
 * and pandas.
 */
export function locateCell(row: number, column?: string): Pick<Issue, 'place' | 'row' | 'column'> {
  if (column === undefined) return { row, place: `row ${row} (counted from 0)` };
  return { row, column, place: `row ${row} (counted from 0), column ${column}` };
}

/** Returns the place of a column. */
export function locateColumn(column: string): Pick<Issue, 'place' | 'column'> {
  return { column, place: `column ${column}` };
}
