import type { Issue } from '../../validate/issue.ts';
import { type ParquetRule, parquetRules } from './rules.ts';

/** Findings of one rule beyond this many are counted, not kept. */
const KEPT_PER_RULE = 10;
/** Longer values are cut. */
const LONGEST_VALUE = 200;

/** Collects what is wrong with one file; however much that is, it stays small. */
export class Findings {
  readonly #kept: Issue[] = [];
  readonly #counts = new Map<ParquetRule, number>();

  add(rule: ParquetRule, path: string, message: string, value?: unknown): void {
    const count = (this.#counts.get(rule) ?? 0) + 1;
    this.#counts.set(rule, count);
    if (count > KEPT_PER_RULE) return;
    this.#kept.push({
      rule,
      severity: parquetRules[rule],
      path,
      message,
      ...(value !== undefined && { value: truncate(value) }),
    });
  }

  /** What was kept, in order, and for each rule how much was not. */
  issues(): Issue[] {
    const rest = Array.from(this.#counts).flatMap(([rule, count]): Issue[] => {
      const more = count - KEPT_PER_RULE;
      if (more <= 0) return [];
      const message = `${more.toLocaleString('en-US')} more findings of this rule are not listed`;
      return [{ rule, severity: parquetRules[rule], path: 'the file', message }];
    });
    return [...this.#kept, ...rest];
  }
}

/** JSON has no BigInt, and a cell may hold a book. */
function truncate(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'string' || value.length <= LONGEST_VALUE) return value;
  return `${value.slice(0, LONGEST_VALUE)}…`;
}

/** A row in words, counted from 0 as DuckDB's file_row_number and pandas count. */
export function rowPath(row: number, column: string): string {
  return `row ${row} (counted from 0), column ${column}`;
}
