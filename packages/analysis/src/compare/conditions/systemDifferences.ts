import type { Run } from '../../run/run.ts';
import { recognizeServers } from '../../servers/metricSeries.ts';
import type { OptionDifference, OptionTopic } from './optionDifferences.ts';

/** A property of the servers or the hardware of a run. `read` returns nothing if the run does not record it. */
interface Property {
  readonly topic: OptionTopic;
  readonly option: string;
  readonly read: (run: Run) => readonly string[];
}

const PROPERTIES: readonly Property[] = [
  {
    topic: 'servers',
    option: 'servers',
    read: run => recognizeServers(run).map(({ name }) => name),
  },
  {
    topic: 'servers',
    option: 'endpoints',
    read: ({ endpoints }) => (endpoints.length === 0 ? [] : [String(endpoints.length)]),
  },
  {
    topic: 'hardware',
    option: 'GPUs',
    read: ({ gpus }) => countNames(gpus.map(({ model }) => model)),
  },
];

/**
 * Lists how the servers and the hardware of both sides differ: kinds of servers, number of endpoints, GPUs, and the
 * settings and versions that servers report as labels of `*_info` metrics. A property that one side does not record is
 * left out.
 */
export function listSystemDifferences(base: readonly Run[], others: readonly Run[]): OptionDifference[] {
  const properties = [...PROPERTIES, ...listInfoProperties([...base, ...others])];
  return properties.flatMap(({ topic, option, read }) => {
    const [from, to] = [base, others].map(runs => [...new Set(runs.flatMap(read))].sort());
    if (from!.length === 0 || to!.length === 0) return [];
    if (JSON.stringify(from) === JSON.stringify(to)) return [];
    return [{ topic, option, unit: null, base: from!, new: to! }];
  });
}

/** Returns distinct names with their number, such as `8 x NVIDIA H100`. */
function countNames(names: readonly string[]): string[] {
  return [...new Set(names)].map(name => `${names.filter(other => other === name).length} x ${name}`);
}

/** Labels that name a process, a host or the model, or that differ between runs of the same server. */
const OTHER_LABEL =
  /(?:^|_)(?:pid|port|host|hostname|instance|pod|node|namespace|container|address|url|uuid|id|rank|engine|index|model_name|model|start_time|blocks)$/;

function listInfoProperties(runs: readonly Run[]): Property[] {
  const names = new Set(
    runs.flatMap(run =>
      listInfoFamilies(run).flatMap(({ name, series }) =>
        series.flatMap(({ labels }) => Object.keys(labels).map(label => `${name} ${label}`)),
      ),
    ),
  );
  return [...names]
    .map(each => each.split(' ') as [string, string])
    .filter(([, label]) => !OTHER_LABEL.test(label))
    .map(([name, label]) => ({
      topic: /version/.test(label) ? ('versions' as const) : ('server settings' as const),
      option: `${name.replace(/^.*:|_info$/g, '')} ${label}`,
      read: run => run.families.get(name)?.series.flatMap(({ labels }) => labels[label] ?? []) ?? [],
    }));
}

function listInfoFamilies({
  families,
}: Run): { name: string; series: readonly { labels: Readonly<Record<string, string>> }[] }[] {
  return [...families.values()].filter(({ name }) => name.endsWith('_info'));
}
