import { describe, expect, test } from 'vitest';
import { checkedFault, type Fault, parseFault } from '../../src/faults/fault.ts';

describe('as written on a command line', () => {
  test.each<[string, Fault]>([
    ['html', { kind: 'html' }],
    ['status:status=500,scrapes=3', { kind: 'status', status: 500, scrapes: 3 }],
    ['stall:seconds=0.5,page=metrics', { kind: 'stall', seconds: 0.5, page: 'metrics' }],
    ['redirect:to=http://other:1/metrics', { kind: 'redirect', to: 'http://other:1/metrics' }],
    ['body:edit=nan', { kind: 'body', edit: 'nan' }],
    ['content-type:value=', { kind: 'content-type', value: '' }],
    ['truncate:framing=chunked', { kind: 'truncate', framing: 'chunked' }],
  ])('%s', (text, fault) => {
    expect(parseFault(text)).toEqual(fault);
  });

  test.each([
    ['', 'fault kind is ""; one of status, html'],
    ['fire', 'fault kind is "fire"'],
    ['__proto__', 'fault kind is "__proto__"'],
    ['status', '"status" of the fault "status" is undefined; a whole number from 200 to 599'],
    ['status:status=99', 'is 99'],
    ['status:status', 'not of the form field=value'],
    ['stall:seconds=0', 'a number above 0'],
    ['html:scrapes=1.5', 'a whole number from 1'],
    ['html:color=red', 'has no "color"; it takes scrapes, page'],
    ['body:edit=toString', 'one of nan, inf'],
    ['truncate:framing=odd', '"content-length" or "chunked"'],
  ])('%s is refused', (text, message) => {
    expect(() => parseFault(text)).toThrow(message);
  });
});

test.each([[null], [undefined], [5], ['html'], [{}], [{ kind: 5 }]])('%j is no fault', value => {
  expect(() => checkedFault(value)).toThrow('fault kind is');
});
