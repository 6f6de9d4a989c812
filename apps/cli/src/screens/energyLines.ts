import { formatValue } from '@org/core';
import type { GpuEnergy, ProfileExport, ProfileMetric } from '@org/formats';
import { truncateEnd } from '@org/terminal/layout';
import colors from 'picocolors';
import type { ScreenStyle } from './screenText.ts';

/** The energy metrics of the line: the tag without its platform, the factor from its unit, and the unit to show. */
const METRICS: readonly (readonly [tag: string, factor: number, unit: string])[] = [
  ['energy_per_output_token', 1e-3, 'J/output token'],
  ['energy_per_request', 1, 'J/request'],
  ['output_tokens_per_joule', 1, 'tok/J'],
];

/** Renders the energy of the GPUs of each platform as a line; empty if there was no GPU with a known power. */
export function renderEnergy(document: ProfileExport, { width, color }: ScreenStyle): string[] {
  const paint = colors.createColors(color);
  return (document.gpu_energy ?? []).flatMap(energy => {
    const text = formatEnergy(document, energy);
    const gaps = energy.gap_seconds
      ? [
          paint.yellow(
            ` no GPU samples for ${formatValue(energy.gap_seconds, 'sec')}; the energy is interpolated there`,
          ),
        ]
      : [];
    return text === '' ? [] : [truncateEnd(text, width - 1), ...gaps];
  });
}

function formatEnergy(document: ProfileExport, { platform, gpu_count: count, source }: GpuEnergy): string {
  const read = (tag: string): number | undefined =>
    (document[`${platform}_${tag}`] as ProfileMetric | undefined)?.avg;
  const watts = read('average_gpu_power') ?? read('total_gpu_power');
  if (watts === undefined) return '';
  const joules = read('total_gpu_energy');
  const metrics = METRICS.flatMap(([tag, factor, unit]) => {
    const value = read(tag);
    return value === undefined ? [] : [`${format(value * factor)} ${unit}`];
  });
  const gpus = `${count} ${platform === 'nvidia' ? 'NVIDIA' : 'AMD'} GPU${count === 1 ? '' : 's'}`;
  const origin = source === 'power' ? ['energy integrated from the power'] : [];
  return [
    `${gpus}: ${format(watts)} W`,
    ...(joules === undefined ? [] : [`${format(joules)} J`]),
    ...metrics,
    ...origin,
  ].join(', ');
}

/** Formats a number with three significant digits. */
function format(value: number): string {
  return String(Number(value.toPrecision(3)));
}
