import { expect } from 'vitest';
import { Simulation } from '../../src/simulation.ts';
import type { SimulatorOptions } from '../../src/simulatorOptions.ts';
import { DEFAULT_WORKLOAD } from '../../src/traffic/workload.ts';
import { type ReadFamily, readExposition } from './exposition.ts';
import { readSharedBody } from './shared.ts';

/** Simulates a server for 20 s under load, with waiting, running, preempted and aborted requests. */
export function runUnderLoad(options: Partial<SimulatorOptions>): Simulation {
  const simulation = new Simulation({
    seed: 6,
    arrivalRate: 50,
    kvBlocks: 700,
    workload: { ...DEFAULT_WORKLOAD, abortShare: 0.1 },
    ...options,
  });
  simulation.advanceTo(20e9);
  return simulation;
}

/** Reads the families of all text pages. */
export function readPages(simulation: Simulation): Map<string, ReadFamily> {
  const text = simulation.pages.filter(page => page.format === 'text').map(page => page.read('').body);
  return new Map(text.flatMap(body => [...readExposition(body)]));
}

/**
 * Checks that the families in the documentation of a server exist. `names` lists them, separated by whitespace,
 * without `prefix` and `_total`.
 */
export function expectFamilies(
  families: ReadonlyMap<string, ReadFamily>,
  prefix: string,
  names: string,
): void {
  for (const name of names.split(/\s+/)) {
    const fullName = prefix + name;
    expect(families.has(fullName) || families.has(`${fullName}_total`), fullName).toBe(true);
  }
}

/**
 * Checks that families have the types, labels and bucket bounds of a body of a real server, except for families
 * that match `except` and for labels that depend on the command line or the process of the server.
 */
export function expectLikeReal(
  families: ReadonlyMap<string, ReadFamily>,
  file: string,
  except: RegExp,
): void {
  const expected = parseRealBody(readSharedBody(file));
  expect(expected.size).toBeGreaterThan(5);
  for (const [name, { type, labels, bounds }] of expected) {
    if (except.test(name)) continue;
    const family = families.get(name);
    expect(family, name).toBeDefined();
    expect(family!.type, name).toBe(type);
    if (labels.size === 0) continue;
    const actualLabels = new Set(family!.samples.flatMap(sample => Object.keys(sample.labels)));
    for (const label of labels) {
      if (label === 'pid') continue;
      expect(actualLabels, `${name} ${label}`).toContain(label);
    }
    const actualBounds = family!.samples.flatMap(({ labels: { le } }) => le ?? []);
    expect(new Set(actualBounds), name).toEqual(bounds);
  }
}

/** Returns the requests of a simulation that have ended without an abort. */
export function listCompleted(simulation: Simulation) {
  return simulation.getTruth().requests.filter(({ finishReason }) => finishReason !== 'abort');
}

/** Checks that a page has exactly the families, types and labels of a page of a real server. */
export function expectSameFamilies(families: ReadonlyMap<string, ReadFamily>, file: string): void {
  const expected = [...parseRealBody(readSharedBody(file))].map(([name, { type, labels }]) => {
    return { name, type, labels: [...labels].sort() };
  });
  const actual = [...families.values()].map(({ name, type, samples }) => {
    const labels = new Set(samples.flatMap(sample => Object.keys(sample.labels)));
    return { name, type, labels: [...labels].sort() };
  });
  const sort = (list: typeof expected) => list.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  expect(sort(actual)).toEqual(sort(expected));
}

interface RealFamily {
  readonly type: string;
  readonly labels: Set<string>;
  readonly bounds: Set<string>;
}

function parseRealBody(text: string): Map<string, RealFamily> {
  const families = new Map<string, RealFamily>();
  let current: RealFamily | undefined;
  for (const line of text.split('\n')) {
    const type = /^# TYPE (\S+) (\S+)/.exec(line);
    if (type) {
      current = { type: type[2]!, labels: new Set(), bounds: new Set() };
      families.set(type[1]!, current);
    } else if (line !== '' && !line.startsWith('#')) {
      for (const [, label, value] of line.matchAll(/[{,]([a-z_]+)="([^"]*)"/g)) {
        current!.labels.add(label!);
        if (label === 'le') current!.bounds.add(value!);
      }
    }
  }
  return families;
}
