import type { Distinction } from '@org/analysis';
import { toPrintable } from '@org/terminal';
import stringWidth from 'string-width';

/**
 * Formats the labels of rows, such as `host:1 reason=capacity`. If the labels of any row are wider than `width` columns,
 * the names of labels are omitted in all rows. Values are never cut, because they identify a row.
 */
export function formatRowLabels(rows: readonly (readonly Distinction[])[], width: number): string[] {
  const namedLabels = rows.map(parts =>
    parts.map(({ label, value }) => toPrintable(label ? `${label}=${value}` : value)).join(' '),
  );
  if (namedLabels.every(text => stringWidth(text) <= width)) return namedLabels;
  return rows.map(parts => parts.map(({ label, value }) => toPrintable(value || `${label}=`)).join(' '));
}
