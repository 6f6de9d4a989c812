import { describe, expect, test } from 'vitest';
import { decodePercent, redactUrl } from '../../src/redaction/url.ts';

describe('redactUrl', () => {
  test.each([
    ['http://u:p@h/x', 'http://h/x'],
    ['u:p@h:1', 'h:1'],
    ['http://h/x@y', 'http://h/x@y'],
    ['http://u:p@h/x?token=S&a=1', 'http://h/x?token=REDACTED&a=1'],
    ['//u:p@h/x', '//h/x'],
    ['http://u:p/w@h/x', 'http://h/x'],
    ['http://u:p?w#@h:1', 'http://h:1'],
    ['http://h:1/x@y', 'http://h:1/x@y'],
    ['http://[::1]:1/x@y', 'http://[::1]:1/x@y'],
    ['--flag', '--flag'],
  ])('returns %s as %s', (url, redacted) => {
    expect(redactUrl(url)).toBe(redacted);
  });
});

describe('decodePercent', () => {
  test.each([
    ['abc', 'abc'],
    ['p%40s%C3%A9', 'p@sé'],
    ['100%', '100%'],
    ['%zz%40', '%zz@'],
    ['%ff', '%ff'],
    ['%C3%A9%ff', '%C3%A9%ff'],
  ])('decodes %s as %s', (text, decoded) => {
    expect(decodePercent(text)).toBe(decoded);
  });
});
