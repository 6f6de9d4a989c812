import type { MetricFamily, Registry } from '../metrics/registry.ts';
import type { Counter } from '../metrics/series.ts';
import type { ProfileContext } from './profile.ts';

/**
 * The families that the Python client declares for every process. Returns a function that brings them up to date.
 */
export function declareProcess(registry: Registry, context: ProfileContext): () => void {
  const own = (name: string, help: string): MetricFamily<Counter> => {
    return registry.counter(name, help, { created: false });
  };
  const collected = own('python_gc_objects_collected', 'Objects that a collection found and freed');
  const uncollectable = own('python_gc_objects_uncollectable', 'Garbage that could not be freed');
  const collections = own('python_gc_collections', 'Collections by generation');
  const generations = ['0', '1', '2'].map(generation => ({ generation }));
  for (const generation of generations) uncollectable.labels(generation);
  registry.info('python', 'The interpreter', {
    implementation: 'CPython',
    major: '3',
    minor: '12',
    patchlevel: '9',
    version: '3.12.9',
  });
  const startNs = context.nowNs();
  registry.gauge('process_virtual_memory_bytes', 'Virtual memory in bytes').labels({}).set(1.4e10);
  const resident = registry.gauge('process_resident_memory_bytes', 'Resident memory in bytes').labels({});
  registry
    .gauge('process_start_time_seconds', 'When the process began, in seconds since 1970')
    .labels({})
    .set(Math.round(context.clockS() * 100) / 100);
  const cpu = own('process_cpu_seconds', 'CPU time of the process, user and system, in seconds').labels({});
  registry.gauge('process_open_fds', 'Open file descriptors').labels({}).set(58);
  registry.gauge('process_max_fds', 'Most file descriptors that may be open').labels({}).set(1048576);
  return () => {
    const ageS = (context.nowNs() - startNs) / 1e9;
    generations.forEach((generation, i) => {
      collected.labels(generation).value = Math.floor((14000 + 350 * ageS) / 12 ** i);
      collections.labels(generation).value = Math.floor((1300 + 3 * ageS) / 11 ** i);
    });
    resident.set(1.1e9 + 4096 * Math.floor(20 * ageS));
    cpu.value = Math.round((14 + 0.8 * ageS) * 100) / 100;
  };
}
