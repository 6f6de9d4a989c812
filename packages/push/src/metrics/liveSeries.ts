import type { Family, Point } from './batch.ts';
import type { MetricDefinition } from './definition.ts';

/** The series of an active run. A series ends if it is missing in a reading, or with the run. */
export class LiveSeries {
  #series: ReadonlyMap<MetricDefinition, ReadonlyMap<string, Point>> = new Map();

  /** Adds a reading. Returns the last points of the series that it lacks. */
  update(families: readonly Family[]): Family[] {
    const previous = this.#series;
    this.#series = new Map(families.map(({ definition, points }) => [definition, groupByLabels(points)]));
    return listFamilies(previous, (definition, labels) => !this.#series.get(definition)?.has(labels));
  }

  /** Ends all series. Returns their last points. */
  end(): Family[] {
    const previous = this.#series;
    this.#series = new Map();
    return listFamilies(previous, () => true);
  }
}

function groupByLabels(points: readonly Point[]): ReadonlyMap<string, Point> {
  return new Map(points.map(point => [JSON.stringify(point.labels), point]));
}

function listFamilies(
  series: ReadonlyMap<MetricDefinition, ReadonlyMap<string, Point>>,
  hasEnded: (definition: MetricDefinition, labels: string) => boolean,
): Family[] {
  const families = [...series].map(([definition, points]) => ({
    definition,
    points: [...points].flatMap(([labels, point]) => (hasEnded(definition, labels) ? [point] : [])),
  }));
  return families.filter(({ points }) => points.length > 0);
}
