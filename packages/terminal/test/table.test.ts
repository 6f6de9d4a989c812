import { expect, test } from 'vitest';
import { renderTable } from '../src/table.ts';

const COLUMNS = [
  { width: 6, align: 'left' },
  { width: 4, align: 'right' },
] as const;

test('aligns cells and drops trailing blanks', () => {
  expect(
    renderTable(COLUMNS, [
      ['a', '12'],
      ['宽', ''],
    ]),
  ).toBe('a       12\n宽');
});

test('draws a gap between columns and padding before cells', () => {
  expect(renderTable(COLUMNS, [['a', '12']], { gap: '  ' })).toBe('a         12');
  expect(renderTable(COLUMNS, [['a', '12']], { paddingLeft: 1 })).toBe(' a      12');
});
