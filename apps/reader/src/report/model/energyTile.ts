import type { Run } from '@org/analysis';
import { formatNumber } from '@org/core';
import type { TimeChart } from '../../svg/timeChartModel.ts';
import { readClientStat } from './clientStats.ts';
import type { Tile } from './tile.ts';

/** The makers of GPUs, whose names begin the names of energy metrics. */
const MAKERS = ['nvidia', 'amd'] as const;

/** Builds the tile of the energy of GPUs: per token and per request. Undefined if the energy is not known. */
export function buildEnergyTile(run: Run, charts: readonly TimeChart[]): Tile | undefined {
  const maker = MAKERS.find(name => readClientStat(run, `${name}_total_gpu_energy`, 'avg') !== undefined);
  if (!maker) return undefined;
  const read = (metric: string): number | undefined => readClientStat(run, `${maker}_${metric}`, 'avg');
  // Energy per token is exported in millijoules.
  const perToken = read('energy_per_output_token');
  const perRequest = read('energy_per_request');
  const power = read('average_gpu_power');
  const total = read('total_gpu_energy')!;
  const layer = charts.find(({ id }) => id === 'gpu-power')?.layers[0];
  return {
    id: 'energy',
    name: perToken === undefined ? 'Energy of GPUs' : 'Energy per token',
    value: perToken === undefined ? formatJoules(total) : formatJoules(perToken / 1000),
    label: '',
    details: [
      ...(perRequest === undefined ? [] : [`${formatJoules(perRequest)}/request`]),
      ...(power === undefined ? [] : [`mean ${formatDigits(power)} W`]),
    ],
    side: 'server',
    color: 'server',
    course: layer && 'values' in layer ? layer.values : [],
  };
}

function formatJoules(joules: number): string {
  return joules >= 1000 ? `${formatDigits(joules / 1000)} kJ` : `${formatDigits(joules)} J`;
}

function formatDigits(value: number): string {
  return formatNumber(Number(value.toPrecision(3)));
}
