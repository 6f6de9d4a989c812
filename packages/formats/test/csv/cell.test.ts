import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeCell, unescapeCell } from '../../src/csv/cell.ts';

describe('escapeCell', () => {
  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['=1+1', "'=1+1"],
    ['+cmd', "'+cmd"],
    ['-cmd', "'-cmd"],
    ['@sum', "'@sum"],
    ['\tx', "'\tx"],
    ['＝1', "'＝1"],
    ["'=1", "''=1"],
    ["'quoted'", "'quoted'"],
    ['-1', '-1'],
    ['+1.5e3', '+1.5e3'],
    ['-', "'-"],
    ['one\ntwo', 'one\\ntwo'],
    ['one\r\n\r\ntwo', 'one\\r\\n\\r\\ntwo'],
    ['C:\\models', 'C:\\models'],
    ['C:\\new', 'C:\\\\new'],
    ['\\d+', '\\d+'],
    ['\\\\', '\\\\\\'],
  ])('escapes %j as %j, reversibly', (text, cell) => {
    expect(escapeCell(text)).toBe(cell);
    expect(unescapeCell(cell)).toBe(text);
  });

  it('returns a reversible cell that contains no line break and starts no formula, for any text', () => {
    const specialText = fc.string({
      unit: fc.constantFrom('\\', 'n', 'r', '\n', '\r', "'", '=', '+', '-', '@', '\t', '1', '＝', 'x'),
    });
    fc.assert(
      fc.property(fc.oneof(specialText, fc.string({ unit: 'binary' })), text => {
        const cell = escapeCell(text);
        expect(unescapeCell(cell)).toBe(text);
        expect(cell).not.toMatch(/[\n\r]/);
        if (/^[=+\-@\t]/.test(cell)) expect(Number(cell)).not.toBeNaN();
      }),
      { numRuns: 1000 },
    );
  });
});
