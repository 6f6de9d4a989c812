import { recommendRequest } from './endpointsWithoutData.ts';
import { findIdleTime, recommendLoadedExport } from './idleTime.ts';
import { createRunRule, type FindingRule } from './rule.ts';
import { findWarmupOverlaps } from './warmupOverlap.ts';

/** Rules on what the values of a run cover: time without the load of the profiling phase, and runs without values. */
export const COVERAGE_RULES: readonly FindingRule[] = [
  createRunRule(
    {
      id: 'warmup-overlap',
      severity: 'warning',
      title: 'warm-up requests in the profiling phase',
      advice: 'Increase --warmup-grace-period or use --settle, or read latencies from later timeslices.',
      thresholds: {
        share: { value: 0.02, meaning: 'maximum fraction of the requests in the period' },
        requests: { value: 1, meaning: 'minimum number of requests' },
      },
    },
    findWarmupOverlaps,
  ),
  createRunRule(
    {
      id: 'idle-time',
      severity: 'warning',
      title: 'the servers were idle for a part of the run',
      advice: 'Averages and rates include this time: export only the loaded time with servelens export.',
      thresholds: {
        seconds: { value: 2, meaning: 'minimum duration at the start and the end, in seconds' },
        share: { value: 0.05, meaning: 'minimum share of the profiling period' },
      },
    },
    findIdleTime,
    recommendLoadedExport,
  ),
  createRunRule(
    {
      id: 'interrupted-run',
      severity: 'warning',
      title: 'the run was interrupted',
      advice: 'Repeat the run before you compare it with others.',
      thresholds: {},
    },
    run =>
      run.wasCancelled === true
        ? [{ text: 'all values cover the time until the interruption', numbers: {}, magnitude: 0 }]
        : [],
  ),
  createRunRule(
    {
      id: 'run-without-metrics',
      severity: 'problem',
      title: 'the run has no server metrics',
      advice: 'Check that the server responds.',
      thresholds: {},
    },
    run => (run.seriesCount === 0 ? [{ text: '0 series', numbers: { series: 0 }, magnitude: 0 }] : []),
    run => {
      const request = recommendRequest(run);
      return request === undefined
        ? 'Set --server-metrics to the URL of the metrics of the server.'
        : `Check that the server responds: ${request}`;
    },
  ),
  createRunRule(
    {
      id: 'run-without-timeslices',
      severity: 'note',
      title: 'no timeslices',
      advice: 'Trends and noise require timeslices: set --slice-duration, for example to 2.',
      thresholds: {},
    },
    run => {
      if (run.layout === 'none' || run.seriesCount === 0) return [];
      for (const { series } of Object.values(run.view.metrics))
        for (const entry of series) if ('timeslices' in entry && entry.timeslices?.length) return [];
      return [
        {
          text: run.layout === 'csv' ? 'CSV exports have no timeslices' : 'exported without --slice-duration',
          numbers: {},
          magnitude: 0,
        },
      ];
    },
  ),
];
