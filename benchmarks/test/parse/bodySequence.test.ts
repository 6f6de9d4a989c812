import { parseClassic } from '@org/scrape/exposition';
import { expect, test } from 'vitest';
import { createVariedBodies, createVllmBodies } from '../../src/parse/bodySequence.ts';

const BODY = `# TYPE a counter
${Array.from({ length: 40 }, (_, i) => `a{i="${i}"} ${i}`).join('\n')}
# TYPE b gauge
b 1.0
b{c="NaN"} NaN
`;

test('changes most values and preserves everything else, including number formats', () => {
  const { bodies } = createVariedBodies('test', Buffer.from(BODY), 'classic', 3);
  expect(bodies).toHaveLength(3);
  expect(bodies[0]!.toString()).toBe(BODY);
  const [before, after] = [BODY, bodies[2]!.toString()].map(text => text.split('\n'));
  expect(after).toHaveLength(before!.length);
  const changed = after!.filter((line, index) => line !== before![index]);
  expect(changed.length).toBeGreaterThan(15);
  expect(changed.length).toBeLessThan(40);
  for (const line of changed) expect(line).toMatch(/^(a\{i="\d+"\} \d+|b \d+\.0)$/);
  expect(after).toContain('b{c="NaN"} NaN');
});

test('creates the same bodies for the same name', () => {
  const createBodies = () => createVariedBodies('test', Buffer.from(BODY), 'classic', 4).bodies;
  expect(createBodies()).toEqual(createBodies());
});

test('creates valid successive bodies of a simulated vLLM server', () => {
  const { bodies } = createVllmBodies(2);
  expect(bodies).toHaveLength(2);
  expect(bodies[0]).not.toEqual(bodies[1]);
  for (const body of bodies) expect(parseClassic(body).badLineCount).toBe(0);
});
