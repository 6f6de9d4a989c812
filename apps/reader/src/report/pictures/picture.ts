import { escapeText, writeElement } from '../../svg/markup.ts';
import type { ColorName } from '../../svg/palette.ts';
import { roundPixel } from '../../svg/path.ts';

/** A chart as a picture that stands alone, such as on a slide. */
export interface Picture {
  /** Name of the file, without its extension. */
  readonly name: string;
  readonly svg: string;
}

/** A chart to place in a picture. */
export interface PictureContent {
  readonly name: string;
  readonly title: string;
  readonly legend: readonly { readonly name: string; readonly color: ColorName }[];
  /** The chart, as an element with the class `drawing`. */
  readonly drawing: string;
  readonly width: number;
  readonly height: number;
}

const TITLE_HEIGHT = 26;
const LEGEND_HEIGHT = 20;
/** Approximate width of a character of the legend, in pixels. */
const CHARACTER_WIDTH = 6.6;
/** Width of the color in front of a name of the legend, with the space after it. */
const SWATCH_WIDTH = 18;

/** Creates a picture of a chart with its title and its legend, and the styles that it needs. */
export function createPicture(
  { name, title, legend, drawing, width, height }: PictureContent,
  style: string,
): Picture {
  const head = TITLE_HEIGHT + (legend.length > 0 ? LEGEND_HEIGHT : 0);
  const size = { width, height: height + head };
  return {
    name,
    svg: writeElement(
      'svg',
      { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${size.width} ${size.height}`, ...size },
      writeElement('style', {}, style),
      writeElement('rect', { class: 'paper', ...size }),
      writeElement('text', { class: 'title', x: 10, y: 18 }, escapeText(title)),
      drawLegend(legend),
      placeDrawing(drawing, head, width, height),
    ),
  };
}

function drawLegend(legend: PictureContent['legend']): string {
  let left = 10;
  return legend
    .map(({ name, color }) => {
      const at = left;
      left += SWATCH_WIDTH + name.length * CHARACTER_WIDTH + 14;
      return (
        writeElement('rect', {
          class: `f-${color}`,
          x: roundPixel(at),
          y: TITLE_HEIGHT + 2,
          width: 12,
          height: 8,
        }) +
        writeElement(
          'text',
          { class: 'tick', x: roundPixel(at + SWATCH_WIDTH), y: TITLE_HEIGHT + 10 },
          escapeText(name),
        )
      );
    })
    .join('');
}

/** Places a drawing below the head of a picture. */
function placeDrawing(drawing: string, y: number, width: number, height: number): string {
  return drawing.replace('<svg ', `<svg y="${y}" width="${width}" height="${height}" `);
}
