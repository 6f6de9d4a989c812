import { describe, expect, test } from 'vitest';
import { type Fault, parseFault, validateFault } from '../../src/faults/fault.ts';

describe('parseFault', () => {
  test.each<[string, Fault]>([
    ['html', { kind: 'html' }],
    ['status:status=500,scrapes=3', { kind: 'status', status: 500, scrapes: 3 }],
    ['stall:seconds=0.5,page=metrics', { kind: 'stall', seconds: 0.5, page: 'metrics' }],
    ['redirect:to=http://other:1/metrics', { kind: 'redirect', to: 'http://other:1/metrics' }],
    ['redirect:to=', { kind: 'redirect', to: '' }],
    ['omit:metric=vllm:num_,every=2', { kind: 'omit', metric: 'vllm:num_', every: 2 }],
    ['sleep', { kind: 'sleep' }],
    ['sleep:engine=1', { kind: 'sleep', engine: 1 }],
    ['slow:engine=0,factor=2.5', { kind: 'slow', engine: 0, factor: 2.5 }],
    ['nan-logits:requests=10', { kind: 'nan-logits', requests: 10 }],
    ['kv-transfer:requests=3', { kind: 'kv-transfer', requests: 3 }],
    ['rejected-drafts:tokens=4', { kind: 'rejected-drafts', tokens: 4 }],
    ['flap:up=4,down=0.5', { kind: 'flap', up: 4, down: 0.5 }],
    ['gpu-throttle:cause=heat', { kind: 'gpu-throttle', cause: 'heat' }],
    ['gpu-xid:code=79,gpu=1', { kind: 'gpu-xid', code: 79, gpu: 1 }],
    ['truncate:framing=chunked', { kind: 'truncate', framing: 'chunked' }],
  ])('parses %s', (text, fault) => {
    expect(parseFault(text)).toEqual(fault);
  });

  test.each([
    ['', 'invalid fault kind "": expected one of status, html'],
    ['fire', 'invalid fault kind "fire"'],
    ['__proto__', 'invalid fault kind "__proto__"'],
    ['status', 'invalid fault "status": missing field "status"; expected an integer from 200 to 599'],
    ['status:status=99', 'invalid status 99'],
    ['status:status', 'invalid fault "status:status": expected FIELD=VALUE instead of "status"'],
    ['stall:seconds=0', 'a number greater than 0'],
    ['omit:metric=', 'the start of the name of a metric'],
    ['html:every=0', 'an integer of at least 1'],
    ['html:scrapes=1.5', 'an integer of at least 1'],
    ['html:color=red', 'invalid fault "html": unknown field "color"; expected one of scrapes, every, page'],
    ['slow:engine=0', 'missing field "factor"; expected a number of at least 1'],
    ['slow:engine=0,factor=0.5', 'invalid factor 0.5'],
    ['sleep:scrapes=2', 'unknown field "scrapes"; expected one of engine'],
    ['flap:up=4', 'missing field "down"; expected a number greater than 0'],
    ['flap:up=4s,down=2', 'invalid up "4s"; expected a number greater than 0'],
    ['gpu-throttle:cause=bad', 'invalid cause "bad"; expected "heat" or "power"'],
    ['gpu-xid', 'missing field "code"'],
    ['truncate:framing=odd', '"content-length" or "chunked"'],
  ])('rejects %s', (text, message) => {
    expect(() => parseFault(text)).toThrow(message);
  });
});

test.each([[null], [undefined], [5], ['html'], [{}], [{ kind: 5 }]])('rejects %j', value => {
  expect(() => validateFault(value)).toThrow('invalid fault kind');
});
