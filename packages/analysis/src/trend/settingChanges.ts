import type { RunSettings } from './runSettings.ts';

/** A setting that changed between two runs. Empty text if the setting is not set. */
export interface SettingChange {
  /** The index of the first run with the new value. */
  readonly at: number;
  readonly setting: string;
  readonly from: string;
  readonly to: string;
}

/** A setting that is different in most runs, such as a number of blocks that a server computes at each start. */
export interface VaryingSetting {
  readonly setting: string;
  /** The number of distinct values. */
  readonly values: number;
}

/** The changes of settings over runs. */
export interface SettingChanges {
  readonly changes: readonly SettingChange[];
  readonly varying: readonly VaryingSetting[];
}

/** A setting with this many values varies if it changes in more than `MAX_CHANGED_SHARE` of the runs. */
const MIN_VARYING_VALUES = 4;
const MAX_CHANGED_SHARE = 1 / 3;

/** Lists the changes of settings between neighboring runs, in order of time. A run without any settings is skipped. */
export function listSettingChanges(runs: readonly RunSettings[]): SettingChanges {
  const names = [...new Set(runs.flatMap(settings => [...settings.keys()]))];
  const known = runs.flatMap((settings, at) => (settings.size > 0 ? [{ settings, at }] : []));
  const changes: SettingChange[] = [];
  const varying: VaryingSetting[] = [];
  for (const setting of names) {
    const values = known.map(({ settings, at }) => ({ value: settings.get(setting) ?? '', at }));
    const own = values.slice(1).flatMap(({ value, at }, i): SettingChange[] => {
      const from = values[i]!.value;
      return from === value ? [] : [{ at, setting, from, to: value }];
    });
    const distinct = new Set(values.map(({ value }) => value)).size;
    if (distinct >= MIN_VARYING_VALUES && own.length > MAX_CHANGED_SHARE * runs.length)
      varying.push({ setting, values: distinct });
    else changes.push(...own);
  }
  return { changes: changes.sort((a, b) => a.at - b.at), varying };
}
