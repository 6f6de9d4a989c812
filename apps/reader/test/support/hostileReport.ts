import type { ReportDocument } from '../../src/report/document.ts';
import type { TimeChart } from '../../src/svg/timeChartModel.ts';

/** Creates a report in which every text is `text`, as if a server had sent it. */
export function createHostileReport(text: string): ReportDocument {
  const axis = { from: 0, step: 1 };
  const chart: TimeChart = {
    id: 'a',
    side: 'client',
    title: text,
    unit: text,
    metrics: [text],
    help: text,
    axis,
    layers: [
      { form: 'line', name: text, color: 'client', values: [1, 2] },
      { form: 'dots', name: text, color: 'client', points: [[1, 1]] },
    ],
    limits: [{ value: 1, name: text }],
    load: { name: text, values: [1, 2], axis },
  };
  return {
    title: text,
    subtitle: text,
    verdict: { tone: 'problem', sentence: text, facts: text },
    tiles: [
      {
        id: 'a',
        name: text,
        value: text,
        label: text,
        details: [text],
        side: 'client',
        color: 'client',
        course: [1, 2],
        alarm: text,
      },
    ],
    facts: [{ name: text, text }],
    notes: [text],
    endpoints: [],
    findings: [
      {
        id: 'a',
        severity: 'problem',
        server: text,
        title: text,
        advice: text,
        evidence: [{ endpoint: text, text, numbers: {}, magnitude: 1 }],
        intervals: [[0, 1]],
      },
    ],
    timeline: {
      source: text,
      step: 1,
      sliceStep: 1,
      range: [0, 200],
      start: text,
      marks: {
        intervals: [{ kind: 'finding', from: 0, to: 1, label: '1' }],
        moments: [{ kind: 'death', seconds: 1, label: text }],
      },
      columns: [
        { title: text, charts: [chart] },
        { title: text, charts: [] },
      ],
      more: [{ ...chart, id: 'b' }],
      meanings: { [text]: text },
      zero: [text],
    },
    split: {
      meanMs: 1,
      requests: 1,
      stages: [{ name: text, color: 'grey', meanMs: 1, share: 1 }],
      unknown: [text],
    },
    heatMaps: [{ id: 'c', side: 'client', title: text, axis, edges: [0, 1, null], counts: [[1, 2]] }],
    ladders: [
      { id: 'd', title: text, percents: [50, 99], lines: [{ name: text, color: 'server', values: [1, 2] }] },
    ],
    replicas: [
      {
        id: 'e',
        title: text,
        unit: text,
        metrics: [text],
        axis,
        top: 2,
        groups: ['', text].map(role => ({
          role,
          median: [1, 2],
          replicas: [{ name: text, color: 'server', values: [1, 2], mean: 1, isHigh: true }],
          spread: text,
        })),
      },
    ],
    requests: {
      count: 1,
      missing: 0,
      missingFailed: 0,
      rows: [
        {
          record: 1,
          id: text,
          sent: 1,
          outcome: 'ok',
          firstToken: null,
          interToken: null,
          latency: 1,
          outputTokens: 1,
        },
      ],
      value: 'latency',
    },
    series: { columns: [], texts: [text], rows: [], more: 0 },
  };
}
