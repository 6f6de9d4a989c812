import { writeSection } from '../../html/section.ts';
import { escapeText, writeElement } from '../../svg/markup.ts';
import type { ProbeData, SearchData } from '../model/sweepData.ts';

const VERDICTS: Readonly<Record<ProbeData['verdict'], string>> = {
  passed: '✓ within the limits',
  failed: '✗ outside of the limits',
  unknown: '? unknown',
};

/** Writes a row for each run of a search, in order of time, with its verdict and the values of its limits. */
export function writeProbeTable({ parameters, probes }: SearchData): string {
  const heads = ['run', ...parameters, 'verdict', 'limits'];
  const isNumber = (i: number): boolean => i > 0 && i <= parameters.length;
  return writeSection(
    'probes',
    'Runs of the search',
    writeElement(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Runs of the search' },
      writeElement(
        'table',
        { id: 'probe-table' },
        writeElement(
          'thead',
          {},
          writeElement(
            'tr',
            {},
            ...heads.map((head, i) =>
              writeElement('th', { scope: 'col', class: isNumber(i) && 'number' }, escapeText(head)),
            ),
          ),
        ),
        writeElement('tbody', {}, ...probes.map(writeProbe)),
      ),
    ),
  );
}

function writeProbe({ run, values, verdict, detail }: ProbeData): string {
  return writeElement(
    'tr',
    {},
    writeElement('th', { scope: 'row' }, String(run)),
    ...values.map(value => writeElement('td', { class: 'number' }, escapeText(value))),
    writeElement('td', {}, VERDICTS[verdict]),
    writeElement('td', {}, escapeText(detail)),
  );
}
