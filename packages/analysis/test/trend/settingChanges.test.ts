import { describe, expect, it } from 'vitest';
import { listSettingChanges } from '../../src/trend/settingChanges.ts';

const toRuns = (values: readonly (string | undefined)[]): Map<string, string>[] =>
  values.map(
    value =>
      new Map(
        value === undefined
          ? [['other', 'x']]
          : [
              ['other', 'x'],
              ['version', value],
            ],
      ),
  );

describe('listSettingChanges', () => {
  it('lists a changed value at the first run that has it', () => {
    expect(listSettingChanges(toRuns(['1', '1', '2', '2'])).changes).toEqual([
      { at: 2, setting: 'version', from: '1', to: '2' },
    ]);
  });

  it('lists a setting that appears, and one that disappears, with an empty text', () => {
    expect(listSettingChanges(toRuns([undefined, '1', undefined])).changes).toEqual([
      { at: 1, setting: 'version', from: '', to: '1' },
      { at: 2, setting: 'version', from: '1', to: '' },
    ]);
  });

  it('skips runs without any settings', () => {
    expect(listSettingChanges([...toRuns(['1']), new Map(), ...toRuns(['1'])]).changes).toEqual([]);
  });

  it('reports a setting that is different in most runs once', () => {
    expect(listSettingChanges(toRuns(['1', '2', '3', '4', '5', '6']))).toEqual({
      changes: [],
      varying: [{ setting: 'version', values: 6 }],
    });
  });
});
