import type { Comparison } from '@org/analysis';
import { describeDeadServers, describeHint } from './comparisonText.ts';

/** Builds the output of `compare --json`, with all rows. */
export function buildComparisonDocument(comparison: Comparison): object {
  const {
    base,
    new: newRuns,
    rows,
    onlyBase,
    onlyNew,
    hint,
    notes,
    differences,
    tested,
    options,
  } = comparison;
  const countRows = (verdict: string): number => rows.filter(row => row.verdict === verdict).length;
  return {
    base: base.map(({ name }) => name),
    new: newRuns.map(({ name }) => name),
    counts: {
      worse: countRows('worse'),
      better: countRows('better'),
      changed: countRows('changed'),
      no_evidence: countRows('no evidence'),
      unchanged: countRows('unchanged'),
      untested: countRows('untested'),
      only_base: onlyBase.length,
      only_new: onlyNew.length,
    },
    method: {
      test: options.test,
      correction: options.correction,
      alpha: options.alpha,
      min_change: options.minChange,
      tested: tested.key + tested.other,
      tested_key_metrics: tested.key,
    },
    dead_servers: describeDeadServers(comparison),
    differences: differences.map(({ topic, option, unit, base: from, new: to }) => ({
      topic,
      option,
      unit,
      base: from,
      new: to,
    })),
    notes,
    hint: hint
      ? {
          text: describeHint(hint),
          ignore_labels: hint.labels.map(({ label }) => label),
          series: hint.matchingSeries,
        }
      : null,
    rows: rows.map(row => ({
      metric: row.name,
      type: row.type,
      unit: row.unit,
      labels: row.labels,
      stat: row.stat,
      better: row.better,
      verdict: row.verdict,
      base: row.base,
      new: row.new,
      ...(row.upper[0] === null ? {} : { base_upper: row.upper[0] }),
      ...(row.upper[1] === null ? {} : { new_upper: row.upper[1] }),
      change: row.change,
      noise: row.noise,
      p: row.p,
      test: row.test,
      reason: row.reason,
      effect: row.effect,
      noise_from: { base: row.basis[0], new: row.basis[1] },
      runs: { base: row.runs[0], new: row.runs[1] },
      series: row.seriesCount,
      key_metric: row.isKey,
      topic: row.topic,
      follows: row.isFollower,
    })),
    only_base: onlyBase,
    only_new: onlyNew,
  };
}
