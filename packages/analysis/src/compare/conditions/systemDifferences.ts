import type { Run } from '../../run/run.ts';
import { listSystemSettings, type SystemSetting } from '../../servers/systemSettings.ts';
import type { OptionDifference } from './optionDifferences.ts';

/**
 * Lists how the servers and the hardware of both sides differ. A setting that one side does not record is left out.
 */
export function listSystemDifferences(base: readonly Run[], others: readonly Run[]): OptionDifference[] {
  const [from, to] = [collectSettings(base), collectSettings(others)];
  return [...from].flatMap(([option, { topic, values }]) => {
    const other = to.get(option)?.values;
    if (other === undefined || JSON.stringify(values) === JSON.stringify(other)) return [];
    return [{ topic, option, unit: null, base: values, new: other }];
  });
}

/** Collects the distinct values of the settings of several runs, by name. */
function collectSettings(runs: readonly Run[]): Map<string, Pick<SystemSetting, 'topic' | 'values'>> {
  const settings = new Map<string, Pick<SystemSetting, 'topic' | 'values'>>();
  for (const setting of runs.flatMap(listSystemSettings)) {
    const { topic, values } = setting;
    const option = formatName(setting);
    const known = settings.get(option)?.values ?? [];
    settings.set(option, { topic, values: [...new Set([...known, ...values])].sort() });
  }
  return settings;
}

/** Returns the name of a setting, with the short name of its metric. */
function formatName({ metric, name }: SystemSetting): string {
  return metric === undefined ? name : `${metric.replace(/^.*:|_info$/g, '')} ${name}`;
}
