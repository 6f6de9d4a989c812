import { writeFactList } from '../../html/factList.ts';
import { TITLE_ID, writeFrame, writeTitle } from '../../html/frame.ts';
import { writeParagraph, writeSection } from '../../html/section.ts';
import { escapeText, writeElement } from '../../svg/markup.ts';
import type { ReportDocument } from '../document.ts';
import { writeDistributionSection } from './distributionSection.ts';
import { writeReplicaSection } from './replicaSection.ts';
import { writeRequestSection } from './requestSection.ts';
import { writeSplitSection } from './splitSection.ts';
import { writeTileSection } from './tileSection.ts';
import { writeMoreMetrics, writeTimelineSection } from './timelineSection.ts';
import { writeVerdictSection } from './verdictSection.ts';

/** A section of the page. */
export interface RunSection {
  readonly id: string;
  readonly markup: string;
}

/** The IDs of the parts that are in the header of the page. */
const HEADER_IDS: ReadonlySet<string> = new Set([TITLE_ID, 'subtitle']);

/** Writes the body of the page of a run. It is complete without scripts, except for tables. `bar` follows the header. */
export function writeRunPage(report: ReportDocument, bar = ''): string {
  const sections = listRunSections(report, bar !== '').filter(({ id }) => !HEADER_IDS.has(id));
  return writeFrame(report.title, {
    subtitle: writeSubtitle(report),
    bar,
    main: sections.map(({ markup }) => markup),
  });
}

/**
 * Lists the parts of the page that depend on the data of the run, in order: the title and the line under it, then sections. A run
 * that is running may have no data over time yet.
 */
export function listRunSections(report: ReportDocument, isRunning = false): readonly RunSection[] {
  const { tiles, timeline, isTooShort, facts, notes, replicas } = report;
  const sections = {
    // The page of a sweep that is running shows one run after the other.
    [TITLE_ID]: writeTitle(report.title),
    subtitle: writeSubtitle(report),
    verdict: writeVerdictSection(report),
    baseline: writeBaseline(report),
    tiles: writeTileSection(tiles),
    timeline: isRunning && !timeline ? '' : writeTimelineSection(timeline, isTooShort),
    time: writeSplitSection(report),
    distributions: writeDistributionSection(report),
    replicas: writeReplicaSection(replicas),
    requests: writeRequestSection(report),
    'more-metrics': writeMoreMetrics(timeline),
    tables: writeSection(
      'tables',
      'Tables',
      ...notes.map(note => writeParagraph(note, 'note')),
      '<noscript><p>Tables require JavaScript. All scripts are embedded in the page.</p></noscript>',
    ),
    about: writeSection('about', 'About this run', writeFactList(facts)),
  };
  return Object.entries(sections).flatMap(([id, markup]) => (markup === '' ? [] : [{ id, markup }]));
}

function writeSubtitle({ subtitle }: ReportDocument): string {
  return writeElement('p', { id: 'subtitle', class: 'subtitle' }, escapeText(subtitle));
}

/** Writes whether the run and the baseline can be compared, before any figure of the baseline. */
function writeBaseline({ baseline }: ReportDocument): string {
  if (!baseline) return '';
  const { name, scope } = baseline;
  return writeParagraph(
    `Dashed grey lines, and figures after \u201cwas\u201d, belong to the baseline ${name}. ${scope.sentence} ${scope.meaning}`,
    'baseline-note',
  );
}
