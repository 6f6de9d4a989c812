import { describe, expect, test } from 'vitest';
import { listSecretForms, SecretRedactor } from '../../src/redaction/secretRedactor.ts';

describe('SecretRedactor', () => {
  const redactor = new SecretRedactor(['pass/"word', 'pass/"word-of-mine', 'abc']);

  test.each([
    ['as written', 'wrong pass/"word!', 'wrong <redacted>!'],
    ['URL-encoded', 'http://me:pass%2F%22word@h', 'http://me:<redacted>@h'],
    ['JSON-escaped', '{"got":"pass/\\"word"}', '{"got":"<redacted>"}'],
    ['that contains another secret', 'wrong pass/"word-of-mine', 'wrong <redacted>'],
    ['truncated at the end of a quotation', 'line 1: "Basic pass/"wo…"', 'line 1: "Basic <redacted>…"'],
  ])('replaces a secret %s', (_, text, redacted) => {
    expect(redactor.redact(text)).toBe(redacted);
  });

  test.each(['abc is too short to be a secret', 'nothing to redact'])('does not change %j', text => {
    expect(redactor.redact(text)).toBe(text);
  });
});

test('lists the forms of secrets, longest first, without duplicates', () => {
  expect(listSecretForms(['a/b', 'plain', 'xy'], 3)).toEqual(['a%2Fb', 'plain', 'a/b']);
});
