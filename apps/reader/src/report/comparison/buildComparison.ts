import type { Comparison } from '@org/analysis';
import { describeHint, describeMethod, formatHeadline } from '../../compare/comparisonText.ts';
import { describeRun } from '../model/describeRun.ts';
import { readLoad } from '../model/runLoad.ts';
import type { ComparedSide, ComparisonDocument } from './document.ts';
import { buildCauses, type CauseGroup } from './model/causes.ts';
import { buildEffects, type EffectRow } from './model/effects.ts';
import { buildComparedLadders } from './model/ladders.ts';
import { buildRepeats } from './model/repeats.ts';
import { describeScope, listDifferences, type Scope } from './model/scope.ts';
import { readSideCourse, type SideCourse } from './model/sideCourse.ts';
import { createSides, MAX_OVERLAID, type Side } from './model/sides.ts';
import { buildMultiples, buildStrips } from './model/strips.ts';

/** Builds the page data of one or more comparisons with the same baseline. */
export async function buildComparison(comparisons: readonly Comparison[]): Promise<ComparisonDocument> {
  const sides = createSides([comparisons[0]!.base, ...comparisons.map(({ new: runs }) => runs)]);
  const courses: SideCourse[] = [];
  for (const side of sides) courses.push(await readSideCourse(side));
  const isOverlaid = sides.length <= MAX_OVERLAID;
  const strips = isOverlaid ? buildStrips(courses) : undefined;
  const scope = describeScope(
    comparisons,
    sides.slice(1).map(({ name }) => name),
  );
  return {
    kind: 'comparison',
    title: describeTitle(sides),
    subtitle: scope.sentence,
    scope,
    sides: sides.map(({ name, color, runs }) => ({
      name,
      color,
      runs: runs.length,
      description: describeRun(runs[0]!, readLoad(runs[0]!)),
    })),
    comparisons: comparisons.map((comparison, i) =>
      buildSide(comparison, sides[i + 1]!, comparisons.length, scope),
    ),
    ...(strips && { strips }),
    multiples: isOverlaid ? [] : buildMultiples(courses),
    ladders: buildComparedLadders(sides),
    repeats: buildRepeats(comparisons, sides),
    notes: listPageNotes(comparisons, sides, courses),
  };
}

function describeTitle([base, ...others]: readonly Side[]): string {
  return others.length === 1
    ? `${base!.name} → ${others[0]!.name}`
    : `${others.length} benchmarks compared with ${base!.name}`;
}

/** The maximum number of changes in the headline. */
const MAX_STRONGEST = 3;
/** The maximum number of changes in the headline of each of several comparisons. */
const MAX_STRONGEST_OF_SEVERAL = 2;

function buildSide(comparison: Comparison, { name, color }: Side, count: number, scope: Scope): ComparedSide {
  const causes = buildCauses(comparison, count);
  return {
    name,
    color,
    headline: formatHeadline(comparison),
    strongest: selectStrongest(causes.groups, count > 1 ? MAX_STRONGEST_OF_SEVERAL : MAX_STRONGEST),
    differences: listDifferences(comparison, scope),
    effects: buildEffects(comparison),
    minChange: comparison.options.minChange,
    causes,
    method: describeMethod(comparison),
  };
}

/** Describes the main changes, those of metrics with a title in words first. */
function selectStrongest(groups: readonly CauseGroup[], most: number): string[] {
  const isNamed = ({ leader: { title, metric } }: CauseGroup): boolean => title !== metric;
  return [...groups.filter(isNamed), ...groups.filter(group => !isNamed(group))]
    .slice(0, most)
    .map(({ leader }) => `${leader.title}${nameSide(leader)}: ${leader.text}`);
}

/** Returns a mark for a quantity that a server measured, because the client may measure a quantity of the same name. */
function nameSide({ title, metric, isClient }: EffectRow): string {
  return isClient || title === metric ? '' : ' (server)';
}

/** Lists the notes of all comparisons, each of them once, with the names of the benchmarks if there are several. */
function listPageNotes(
  comparisons: readonly Comparison[],
  sides: readonly Side[],
  courses: readonly SideCourse[],
): string[] {
  const notes = comparisons.flatMap(({ notes: each, hint }) => [
    ...each,
    ...(hint ? [`${describeHint(hint)} (servelens read compare)`] : []),
  ]);
  return [
    ...(comparisons.length > 1 ? [describeSeveral(comparisons)] : []),
    ...new Set(notes),
    ...sides
      .flatMap(({ runs }) => runs.filter(({ families }) => families.size === 0))
      .map(({ name }) => `${name} contains no metrics`),
    ...courses.flatMap(({ side, notes: issues }) => issues.map(note => `${side.name}: ${note}`)),
  ];
}

/** States that tests are corrected within a comparison, not across comparisons, and what this means. */
function describeSeveral(comparisons: readonly Comparison[]): string {
  const { options } = comparisons[0]!;
  const text = `${comparisons.length} comparisons with one baseline`;
  if (options.correction === 'none') return `${text}: tests are not corrected for multiple comparisons`;
  const name = options.correction === 'bh' ? 'Benjamini-Hochberg' : 'Holm';
  return `${text}: ${name} corrects the tests within each of them, not across them; if no run differed, up to ${comparisons.length} times as many false changes could be expected as in one comparison, and an unusual baseline affects all of them`;
}
