/**
 * White space as Python's str.strip() and str.split() see it. JavaScript's own trim() leaves U+001C to U+001F and U+0085
 * alone and takes U+FEFF away.
 */
const BLANK = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const START = new RegExp(`^[${BLANK}]+`);
const ONE = new RegExp(`[${BLANK}]`);

export function isBlank(character: string): boolean {
  return ONE.test(character);
}

export function strip(text: string): string {
  return stripEnd(stripStart(text));
}

export function stripStart(text: string): string {
  return text.replace(START, '');
}

/** By hand, from the end: a pattern anchored there would take quadratic time on long runs of blanks. */
export function stripEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isBlank(text[end - 1]!)) end--;
  return text.slice(0, end);
}
