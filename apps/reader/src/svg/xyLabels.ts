import { writeText } from './xyAxes.ts';
import type { PlotEdges } from './xyExtent.ts';

/** A label to place next to a point. */
export interface PointLabel {
  readonly text: string;
  readonly left: number;
  readonly top: number;
}

const CHARACTER_WIDTH = 6.8;
const LINE_HEIGHT = 13;
/** Distance of a label from the middle of its point, in pixels. */
const DISTANCE = 12;

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Places labels next to their points: each where it overlaps no point and no label before it, or nowhere. */
export function drawPointLabels(labels: readonly PointLabel[], plot: PlotEdges): string {
  const taken: Box[] = labels.map(({ left, top }) => ({
    left: left - 4,
    right: left + 4,
    top: top - 4,
    bottom: top + 4,
  }));
  return labels
    .map(label => {
      const found = listPlaces(label).find(
        ({ box }) =>
          box.left >= plot.left &&
          box.right <= plot.right + 14 &&
          box.top >= 2 &&
          box.bottom <= plot.bottom - 1 &&
          !taken.some(other => overlaps(other, box)),
      );
      if (!found) return '';
      taken.push(found.box);
      return writeText(
        `mark point-label${found.isEnd ? ' end' : ''}`,
        found.x,
        found.box.bottom - 3,
        label.text,
      );
    })
    .join('');
}

/** Lists the places of a label in order of preference. Curves rise to the right, so that below right is mostly free. */
function listPlaces({ text, left, top }: PointLabel): { box: Box; x: number; isEnd: boolean }[] {
  const width = text.length * CHARACTER_WIDTH;
  const offsets = [
    [1, 8],
    [-1, -4],
    [1, -6],
    [-1, 10],
    [1, 20],
    [-1, -18],
  ] as const;
  return offsets.map(([side, offset]) => {
    const x = left + side * DISTANCE;
    const middle = top + offset;
    const box = {
      left: side > 0 ? x : x - width,
      right: side > 0 ? x + width : x,
      top: middle - LINE_HEIGHT / 2,
      bottom: middle + LINE_HEIGHT / 2,
    };
    return { box, x, isEnd: side < 0 };
  });
}

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
