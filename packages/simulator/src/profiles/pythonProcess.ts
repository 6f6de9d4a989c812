import type { MetricFamily, Registry } from '../metrics/registry.ts';
import type { Counter } from '../metrics/series.ts';
import type { ProfileContext } from './profile.ts';

/**
 * Declares the process and interpreter families of the Python client library. Returns a function that updates
 * their values.
 */
export function declareProcess(registry: Registry, context: ProfileContext): () => void {
  const declareCounter = (name: string, help: string): MetricFamily<Counter> => {
    return registry.counter(name, help, { hasCreationTime: false });
  };
  const collected = declareCounter('python_gc_objects_collected', 'Objects freed by garbage collection');
  const uncollectable = declareCounter(
    'python_gc_objects_uncollectable',
    'Uncollectable objects found by garbage collection',
  );
  const collections = declareCounter('python_gc_collections', 'Garbage collections by generation');
  const generations = ['0', '1', '2'].map(generation => ({ generation }));
  for (const generation of generations) uncollectable.labels(generation);
  registry.info('python', 'Python interpreter', {
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
    .gauge('process_start_time_seconds', 'Start time of the process, Unix time in seconds')
    .labels({})
    .set(Math.round(context.getTimeS() * 100) / 100);
  const cpu = declareCounter(
    'process_cpu_seconds',
    'User and system CPU time of the process in seconds',
  ).labels({});
  registry.gauge('process_open_fds', 'Open file descriptors').labels({}).set(58);
  registry.gauge('process_max_fds', 'Maximum number of open file descriptors').labels({}).set(1048576);
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
