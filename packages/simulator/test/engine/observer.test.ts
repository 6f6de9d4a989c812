import { expect, test } from 'vitest';
import { ObserverList } from '../../src/engine/observer.ts';
import { createRequest } from '../../src/engine/request.ts';
import { createStep } from '../../src/engine/step.ts';

test('reports each event to the observers that have a callback for it, in order', () => {
  const events: string[] = [];
  const list = new ObserverList();
  list.add({
    onArrival: ({ id }) => events.push(`a arrival ${id}`),
    onToken: (_, gapNs) => events.push(`a token ${gapNs}`),
  });
  list.add({
    onToken: (_, gapNs) => events.push(`b token ${gapNs}`),
    onStep: ({ index }) => events.push(`b step ${index}`),
  });
  const request = createRequest(
    3,
    0,
    { promptTokens: 1, outputTokens: 1, finishReason: 'stop' },
    0,
    undefined,
  );
  list.onArrival(request);
  list.onScheduled(request);
  list.onToken(request, 8);
  list.onFinished(request);
  list.onStep(createStep());
  expect(events).toEqual(['a arrival 3', 'a token 8', 'b token 8', 'b step 0']);
});
