import { isSecretName, REDACTED, redactUrl } from '@org/core';
import { isMapping } from './field.ts';

/** Returns a document without the values of headers and other secrets, and without credentials in URLs. */
export function redactRun(value: unknown, key = '', parentKey = ''): unknown {
  if (Array.isArray(value)) return value.map(item => redactRun(item, key, parentKey));
  if (isMapping(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, child]) => [name, redactRun(child, name, key)]),
    );
  if (typeof value !== 'string') return value;
  if (isSecretName(key) || parentKey === 'headers') return REDACTED;
  return /^[a-z][a-z\d+.-]*:\/\/|^[^\s/@]+@/i.test(value) ? redactUrl(value) : value;
}
