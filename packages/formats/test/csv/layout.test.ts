import { expect, it } from 'vitest';
import { type CsvOptions, formatCsv, resolveCsvLayout } from '../../src/csv/layout.ts';

it.each([
  ['servelens', '=1+1', "'=1+1", 0.00001, '0.00001'],
  ['aiperf', '=1+1', '=1+1', 0.00001, '0.0000'],
] as const)('the %s layout formats text and floats', (layout, text, cell, value, digits) => {
  const settings = resolveCsvLayout({ layout }, 4);
  expect(settings.text(text)).toBe(cell);
  expect(settings.float(value)).toBe(digits);
});

it('uses the servelens layout unless the aiperf layout is requested', () => {
  expect(resolveCsvLayout({}, 2)).toMatchObject({ isAiperf: false, lineEnd: '\n' });
  expect(resolveCsvLayout({ layout: 'aiperf' }, 2)).toMatchObject({ isAiperf: true, lineEnd: '\r\n' });
});

it('rejects an unknown layout', () => {
  const options = { layout: 'excel' } as unknown as CsvOptions;
  expect(() => resolveCsvLayout(options, 2)).toThrow(
    new TypeError('unknown layout "excel"; expected "servelens" or "aiperf"'),
  );
});

it('formatCsv quotes cells with separators, quotes or line breaks, and leaves undefined cells empty', () => {
  const rows = [['a,b', 'c\nd', 'e\rf', undefined, '"']];
  expect(formatCsv(rows, resolveCsvLayout({ layout: 'aiperf' }, 2))).toBe('"a,b","c\nd","e\rf",,""""\r\n');
});
