import type { MarkRecord } from '@org/record';
import { expect, test } from 'vitest';
import { acceptMark, MarkRecorder, rejectMark } from '../../src/marks/markRecorder.ts';

test('records marks with their time and sender, without secrets', () => {
  const marks: MarkRecord[] = [];
  const recorder = new MarkRecorder(mark => marks.push(mark));
  recorder.add({ mark: 'profiling-start', text: 'profiling-start', sender: 'aiperf' }, 1n);
  recorder.addNote({ mark: 'note', text: 'ran --api-key hunter2', sender: 'me' }, 2n);
  expect(marks).toEqual([
    { time_ns: 1n, kind: 'profiling-start', text: 'profiling-start', sender: 'aiperf' },
    { time_ns: 2n, kind: 'note', text: 'ran --api-key <redacted>', sender: 'me' },
  ]);
});

test('rejects notes beyond the maximum, and does not record them', () => {
  let count = 0;
  const recorder = new MarkRecorder(() => {
    count += 1;
  });
  const addNote = () => recorder.addNote({ mark: 'note', text: 'x', sender: 'me' }, 1n);
  for (let note = 0; note < 10_000; note++) addNote();
  expect(addNote()).toEqual({ ok: false, error: 'the run already has the maximum of 10000 notes' });
  expect(count).toBe(10_000);
});

test('formats the responses to marks', () => {
  expect(acceptMark(1_795_248_930_123_456_789n, 'profiling started')).toEqual({
    ok: true,
    time_ns: '1795248930123456789',
    message: 'profiling started at 2026-11-21T08:15:30.123Z',
  });
  expect(rejectMark('profiling has already ended')).toEqual({
    ok: false,
    error: 'profiling has already ended',
  });
});
