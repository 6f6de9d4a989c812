import { expect, test } from 'vitest';
import { ReadIssues } from '../../src/report/readIssues.ts';

test('lists notes, then one message per file that was not read completely', () => {
  const issues = new ReadIssues();
  const onIssue = issues.createCallback('a.jsonl');
  onIssue({ place: 'line 2', message: 'is not JSON' });
  onIssue({ place: 'line 3', message: 'is not JSON' });
  issues.add('b.parquet', 'truncated');
  issues.addNote('a note');
  expect(issues.notes).toEqual([
    'a note',
    'a.jsonl was not read completely: line 2: is not JSON, and 1 more; to list all issues, run servelens validate',
    'b.parquet was not read completely: truncated; to list all issues, run servelens validate',
  ]);
});
