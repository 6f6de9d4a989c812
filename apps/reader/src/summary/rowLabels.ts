import type { Distinction } from '@org/analysis';
import { toPrintable, truncateMiddle } from '@org/terminal';
import stringWidth from 'string-width';

/**
 * What the rows of one metric are called, in so many columns: `host:1 reason=capacity`, without the labels' names where
 * that is too wide for one of them, and then with the middle of each part left out.
 */
export function formatRowLabels(rows: readonly (readonly Distinction[])[], width: number): string[] {
  const long = rows.map(parts =>
    parts.map(({ label, value }) => toPrintable(label ? `${label}=${value}` : value)),
  );
  if (long.every(parts => stringWidth(parts.join(' ')) <= width)) return long.map(parts => parts.join(' '));
  return rows.map(parts =>
    fitted(
      parts.map(({ label, value }) => toPrintable(value || `${label}=`)),
      width,
    ),
  );
}

/** The room is shared out evenly; what the shorter parts leave goes to the longer ones. */
function fitted(parts: readonly string[], width: number): string {
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
