import type { Distinction } from '@org/analysis';
import { toPrintable } from '@org/terminal';
import { truncateMiddle } from '@org/terminal/layout';
import stringWidth from 'string-width';

/**
 * Formats the labels of a metric's rows to fit a width, such as `host:1 reason=capacity`. If one is too wide,
 * leaves out the names of the labels, then truncates each part in its middle.
 */
export function formatRowLabels(rows: readonly (readonly Distinction[])[], width: number): string[] {
  const long = rows.map(parts =>
    parts.map(({ label, value }) => toPrintable(label ? `${label}=${value}` : value)),
  );
  if (long.every(parts => stringWidth(parts.join(' ')) <= width)) return long.map(parts => parts.join(' '));
  return rows.map(parts =>
    fitParts(
      parts.map(({ label, value }) => toPrintable(value || `${label}=`)),
      width,
    ),
  );
}

/** Truncates parts to an equal share of the width; shorter parts leave their rest to longer ones. */
function fitParts(parts: readonly string[], width: number): string {
  const widths = parts.map(part => stringWidth(part));
  const shortestFirst = [...widths.keys()].sort((a, b) => widths[a]! - widths[b]!);
  let room = width - (parts.length - 1);
  shortestFirst.forEach((part, done) => {
    const share = Math.max(2, Math.floor(room / (parts.length - done)));
    widths[part] = Math.min(widths[part]!, share);
    room -= widths[part]!;
  });
  return truncateMiddle(parts.map((part, i) => truncateMiddle(part, widths[i]!)).join(' '), width);
}
