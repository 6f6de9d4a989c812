import { expect, test } from 'vitest';
import { readProfileCsv } from '../../src/csv/readProfileCsv.ts';
import { writeProfileExportCsv } from '../../src/csv/writeProfileCsv.ts';
import type { GpuSummary, ProfileExport, ProfileMetric } from '../../src/generated/profileExport.ts';

const POWER: ProfileMetric = {
  unit: 'W',
  avg: 22.32745,
  ...{ p1: 17.62302, p5: 17.6671, p10: 17.7996, p25: 19.296, p50: 23.059, p75: 25.52475, p90: 26.0492 },
  ...{ p95: 26.3394, p99: 26.34548, min: 17.612, max: 26.347, std: 3.240807, count: 20, sum: 446.549 },
};

function createDocument(gpus: readonly Partial<GpuSummary>[]): ProfileExport {
  const summaries = gpus.map((gpu, index) => [
    `gpu_${index}`,
    { gpu_index: index, gpu_name: 'NVIDIA L4', gpu_uuid: `GPU-${index}`, platform: 'nvidia', ...gpu },
  ]);
  return {
    schema_version: '1.3',
    amd_total_gpu_energy: { unit: 'J', avg: 7 },
    nvidia_total_gpu_energy: { unit: 'J', avg: 5.97324 },
    telemetry_data: {
      summary: { start_time: '2026-11-22T12:50:47.398586Z', end_time: '2026-11-22T12:50:53.817930Z' },
      endpoints: { '127.0.0.1:21020/dcgm': { gpus: Object.fromEntries(summaries) } },
    },
  } as unknown as ProfileExport;
}

const METRICS = { nvidia_power_usage: POWER, nvidia_energy_consumption: { unit: 'MJ', avg: 5.97e-6 } };

test('writes the table of GPUs as AIPerf does', () => {
  const document = createDocument([{ hostname: 'node1', metrics: METRICS }, { metrics: {} }]);
  const [, table] = writeProfileExportCsv(document, { layout: 'aiperf' }).split('\r\n\r\n\r\n');
  expect(table!.split('\r\n')).toEqual([
    'Endpoint,GPU_Index,GPU_Name,GPU_UUID,Platform,Metric,avg,min,max,sum,p1,p5,p10,p25,p50,p75,p90,p95,p99,std,Hostname',
    '127.0.0.1:21020/dcgm,0,NVIDIA L4,GPU-0,nvidia,NVIDIA GPU Power Usage (W),22.33,17.61,26.35,446.55,17.62,17.67,17.80,19.30,23.06,25.52,26.05,26.34,26.35,3.24,node1',
    '127.0.0.1:21020/dcgm,0,NVIDIA L4,GPU-0,nvidia,NVIDIA Energy Consumption (MJ),0.00,,,,,,,,,,,,,,node1',
    '',
  ]);
});

test('writes all digits in the other layout, and no table without GPUs', () => {
  const text = writeProfileExportCsv(createDocument([{ metrics: METRICS }]));
  expect(text).toContain('\n\n\nEndpoint,GPU_Index,');
  expect(text).toContain(',NVIDIA Energy Consumption (MJ),0.00000597,,');
  expect(writeProfileExportCsv(createDocument([]))).not.toContain('GPU_Index');
});

test.each(['aiperf', 'servelens'] as const)('reads the energy of both platforms in the %s layout', layout => {
  const { metrics, problems } = readProfileCsv(
    writeProfileExportCsv(createDocument([{ metrics: METRICS }]), { layout }),
  );
  expect(problems).toEqual([]);
  expect([...metrics.keys()].sort()).toEqual(['amd_total_gpu_energy', 'nvidia_total_gpu_energy']);
  expect(metrics.get('amd_total_gpu_energy')).toEqual({ unit: 'J', avg: 7 });
});
