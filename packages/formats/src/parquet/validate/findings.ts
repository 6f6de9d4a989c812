import type { Issue } from '../../validate/issue.ts';
import { type ParquetRule, parquetRules } from './rules.ts';

/** Further findings of a rule are counted, not kept. */
const MAX_KEPT_PER_RULE = 10;
/** Longer values are truncated. */
const MAX_VALUE_LENGTH = 200;

/** Collects the findings about one file in bounded memory. */
export class Findings {
  readonly #kept: Issue[] = [];
  readonly #counts = new Map<ParquetRule, number>();

  add(rule: ParquetRule, path: string, message: string, value?: unknown): void {
    const count = (this.#counts.get(rule) ?? 0) + 1;
    this.#counts.set(rule, count);
    if (count > MAX_KEPT_PER_RULE) return;
    this.#kept.push({
      rule,
      severity: parquetRules[rule],
      path,
      message,
      ...(value !== undefined && { value: truncate(value) }),
    });
  }

  /** Returns the kept findings in order, and for each rule the number of further ones. */
  issues(): Issue[] {
    const rest = Array.from(this.#counts).flatMap(([rule, count]): Issue[] => {
      const more = count - MAX_KEPT_PER_RULE;
      if (more <= 0) return [];
      const message = `${more.toLocaleString('en-US')} more findings of this rule are not listed`;
      return [{ rule, severity: parquetRules[rule], path: 'the file', message }];
    });
    return [...this.#kept, ...rest];
  }
}

/** Converts bigints to strings, which JSON requires, and truncates long strings. */
function truncate(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'string' || value.length <= MAX_VALUE_LENGTH) return value;
  return `${value.slice(0, MAX_VALUE_LENGTH)}…`;
}

/** Formats the place of a cell. Rows are counted from 0, as in DuckDB's file_row_number and pandas. */
export function formatCellPlace(row: number, column: string): string {
  return `row ${row} (counted from 0), column ${column}`;
}
