import type { Distinction } from '@org/analysis';
import { toPrintable } from '@org/terminal';
import { truncateMiddle } from '@org/terminal/layout';
import stringWidth from 'string-width';

/**
 * Formats the labels of rows, such as `host:1 reason=capacity`, to fit into `width` columns. If the labels of
 * any row are too wide, the label names are omitted in all rows, and long values are truncated in the middle.
 */
export function formatRowLabels(rows: readonly (readonly Distinction[])[], width: number): string[] {
  const namedLabels = rows.map(parts =>
    parts.map(({ label, value }) => toPrintable(label ? `${label}=${value}` : value)),
  );
  if (namedLabels.every(parts => stringWidth(parts.join(' ')) <= width))
    return namedLabels.map(parts => parts.join(' '));
  return rows.map(parts =>
    fitParts(
      parts.map(({ label, value }) => toPrintable(value || `${label}=`)),
      width,
    ),
  );
}

/**
 * Truncates parts to equal shares of the width. Width that short parts do not need is distributed among the
 * longer parts.
 */
function fitParts(parts: readonly string[], width: number): string {
  const widths = parts.map(part => stringWidth(part));
  const shortestFirst = [...widths.keys()].sort((a, b) => widths[a]! - widths[b]!);
  let remainingWidth = width - (parts.length - 1);
  shortestFirst.forEach((part, fittedCount) => {
    const share = Math.max(2, Math.floor(remainingWidth / (parts.length - fittedCount)));
    widths[part] = Math.min(widths[part]!, share);
    remainingWidth -= widths[part]!;
  });
  return truncateMiddle(parts.map((part, i) => truncateMiddle(part, widths[i]!)).join(' '), width);
}
