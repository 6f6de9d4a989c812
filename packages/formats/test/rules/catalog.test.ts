import { expect, it } from 'vitest';
import { rules } from '../../src/rules.ts';

it('describes each rule in plain text on one line', () => {
  expect(rules.length).toBeGreaterThan(80);
  for (const { id, severity, description } of rules) {
    expect(id).toMatch(/^[a-z-]+$/);
    expect(['error', 'warning']).toContain(severity);
    expect(description, id).toMatch(/^[A-Z`].{15,}\.$/);
  }
});

it('contains the description of the documentation', () => {
  expect(rules.find(({ id }) => id === 'gauge-average')).toEqual({
    id: 'gauge-average',
    severity: 'error',
    description: '`avg` is less than `min` or greater than `max`.',
  });
});
