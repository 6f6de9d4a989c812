import { formatValue } from '@org/core';
import type { GpuEnergy, GpuServer, PhaseGpuTelemetry, ProfileExport, ProfileMetric } from '@org/formats';
import { wrapText } from '@org/terminal/layout';
import colors from 'picocolors';
import type { ScreenStyle } from './screenText.ts';

/** The energy metrics of the line: the tag without its platform, the factor from its unit, and the unit to show. */
const METRICS: readonly (readonly [tag: string, factor: number, unit: string])[] = [
  ['energy_per_output_token', 1e-3, 'J/output token'],
  ['energy_per_request', 1, 'J/request'],
  ['output_tokens_per_joule', 1, 'tok/J'],
];

/** The fields of a document about the energy of GPUs, with its metrics by tag. */
type EnergyFields = Pick<ProfileExport, 'gpu_energy' | 'gpu_servers' | 'gpu_notes'> &
  Readonly<Record<string, unknown>>;

/** Renders the energy of a run whose tokens and requests the servers counted. */
export function renderServedEnergy(document: PhaseGpuTelemetry, style: ScreenStyle): string[] {
  const { gpu_metrics: metrics = {}, token_source: source } = document;
  const lines = renderEnergy({ ...document, ...metrics } as EnergyFields, style);
  if (lines.length === 0 || source === undefined) return lines;
  return [...lines, ' tokens and requests are counted by the servers'];
}

/** Renders the energy of the GPUs of each platform as a line; empty if there was no GPU with a known power. */
export function renderEnergy(document: EnergyFields, { width, color }: ScreenStyle): string[] {
  const paint = colors.createColors(color);
  const platforms = (document.gpu_energy ?? []).flatMap(energy => {
    const text = formatEnergy(document, energy);
    const gaps = energy.gap_seconds
      ? wrapText(
          `no GPU samples for ${formatValue(energy.gap_seconds, 'sec')}; the energy is interpolated there`,
          width - 1,
          ' ',
        ).map(paint.yellow)
      : [];
    return text === '' ? [] : [...wrapText(text, width - 1), ...gaps];
  });
  if (platforms.length === 0) return [];
  const { gpu_servers: servers = [], gpu_notes: notes = [] } = document;
  return [
    ...platforms,
    // The only server has the energy of the line above.
    ...(servers.length > 1 ? servers.flatMap(server => wrapText(formatServer(server), width - 1, ' ')) : []),
    ...notes.flatMap(note => wrapText(note, width - 1, ' ')).map(line => paint.dim(line)),
  ];
}

function formatEnergy(document: EnergyFields, { platform, gpu_count: count, source }: GpuEnergy): string {
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

function formatServer({ endpoint_url: url, gpus, ...server }: GpuServer): string {
  const { energy_joules: joules, energy_per_output_token: perToken } = server;
  const { output_token_throughput_per_gpu: perGpu } = server;
  return [
    `${new URL(url).host}: ${gpus.length} GPU${gpus.length === 1 ? '' : 's'}`,
    ...(joules === undefined ? [] : [`${format(joules)} J`]),
    ...(perToken === undefined ? [] : [`${format(perToken / 1000)} J/output token`]),
    ...(perGpu === undefined ? [] : [`${format(perGpu)} tok/s per GPU`]),
  ].join(', ');
}

/** Formats a number with three significant digits. */
function format(value: number): string {
  return String(Number(value.toPrecision(3)));
}
