/**
 * Reports whether a character is whitespace as defined by Python's str.strip() and str.split(). JavaScript's
 * trim() differs: it keeps U+001C to U+001F and U+0085, and removes U+FEFF.
 */
export function isBlank(code: number): boolean {
  if (code <= 32) return code >= 28 || (code >= 9 && code <= 13);
  if (code < 128) return false;
  return (
    code === 0x85 ||
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** Removes leading and trailing whitespace. */
export function strip(text: string): string {
  return stripEnd(stripStart(text));
}

export function stripStart(text: string): string {
  let start = 0;
  while (start < text.length && isBlank(text.charCodeAt(start))) start++;
  return start === 0 ? text : text.slice(start);
}

export function stripEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isBlank(text.charCodeAt(end - 1))) end--;
  return end === text.length ? text : text.slice(0, end);
}
