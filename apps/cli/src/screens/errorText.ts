import { toPrintable } from '@org/terminal';

const PAGE = /^\s*<(?:!doctype html|html)\b/i;

/**
 * Formats the message of a failed request: without control characters, without its HTTP status, and for a web page, as proxies
 * send it, only the title or the text.
 */
export function formatErrorText(message: string): string {
  const text = toPrintable(message)
    .replaceAll('␊', ' ')
    .replace(/^HTTP status \d+: /, '');
  return PAGE.test(text) ? `${readPage(text)} (web page)` : text;
}

function readPage(page: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(page)?.[1]?.trim();
  return (
    title ||
    page
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
  );
}
