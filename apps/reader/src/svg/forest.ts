import { escapeText, writeElement } from './markup.ts';
import type { ColorName } from './palette.ts';
import { roundPixel } from './path.ts';
import { createLinearScale, type Scale } from './scale.ts';

/** The verdict on an effect, which determines its mark. */
export type EffectVerdict = 'worse' | 'better' | 'changed' | 'unchanged' | 'no evidence' | 'untested';

/** A change of one quantity, as a fraction of its base. */
export interface Effect {
  readonly name: string;
  readonly verdict: EffectVerdict;
  /** Null for a change from 0, which has no ratio. */
  readonly change: number | null;
  /** Half the width of the interval; null if the noise is unknown. */
  readonly noise: number | null;
  /** The change in words, such as `worse +12.3%`. */
  readonly text: string;
}

/** The mark, the word and the color of each verdict. Marks differ in shape, so that colors are not needed. */
export const EFFECT_STYLES: Readonly<
  Record<EffectVerdict, { readonly symbol: string; readonly color: ColorName; readonly shape: string }>
> = {
  worse: { symbol: '▲', color: 'server', shape: 'm-5.5 4.5l5.5-10l5.5 10z' },
  better: { symbol: '▼', color: 'client', shape: 'm-5.5-4.5l5.5 10l5.5-10z' },
  changed: { symbol: '◆', color: 'third', shape: 'm-5 0l5-5.5l5 5.5l-5 5.5z' },
  unchanged: { symbol: '=', color: 'grey', shape: 'm-3.5-3.5h7v7h-7z' },
  'no evidence': { symbol: '○', color: 'grey', shape: 'm-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z' },
  untested: { symbol: '×', color: 'grey', shape: 'm-3.5-3.5l7 7m0-7l-7 7' },
};

/** The size of the part of a row with the interval, in pixels. */
export const EFFECT_SIZE = { width: 360, height: 22 } as const;
/** The widest range of an axis, as a factor in both directions. Effects outside of it are at its ends. */
const MAX_RATIO = 10;
const MIN_RATIO = 1.25;
/** The changes that are labelled, as ratios to the base. */
const TICKS = [0.1, 0.2, 0.5, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 5, 10] as const;
/** Minimum distance between labels, in pixels. */
const LABEL_WIDTH = 40;
/** Space at both ends of the axis, for marks and carets. */
const PADDING = 22;

/**
 * Creates the common axis of effects: equal distances for equal ratios, and 0% in the middle. It fits all changes, and the
 * intervals of significant ones; wider intervals end with a caret.
 */
export function createEffectScale(effects: readonly Pick<Effect, 'change' | 'noise' | 'verdict'>[]): Scale {
  const ratios = effects.flatMap(({ change, noise, verdict }) => {
    if (change === null) return [];
    const isSignificant = verdict === 'worse' || verdict === 'better' || verdict === 'changed';
    const margin = isSignificant ? (noise ?? 0) : 0;
    return [1 + change - margin, 1 + change + margin];
  });
  const reach = ratios.map(ratio => (ratio <= 1 / MAX_RATIO ? MAX_RATIO : Math.max(ratio, 1 / ratio)));
  const widest = Math.min(MAX_RATIO, Math.max(MIN_RATIO, ...reach) * 1.1);
  const { toPixel, toValue } = createLinearScale(
    [-Math.log(widest), Math.log(widest)],
    [PADDING, EFFECT_SIZE.width - PADDING],
  );
  return {
    toPixel: ratio => toPixel(Math.log(ratio)),
    toValue: pixel => Math.exp(toValue(pixel)),
    domain: [1 / widest, widest],
  };
}

/** Draws an effect: its interval, its mark, and the zone of changes that count as unchanged. */
export function drawEffect(effect: Effect, scale: Scale, minChange: number): string {
  const { width, height } = EFFECT_SIZE;
  return writeElement(
    'svg',
    { class: 'drawing effect', viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' },
    drawEffectParts(effect, scale, minChange),
  );
}

function drawEffectParts({ verdict, change, noise }: Effect, scale: Scale, minChange: number): string {
  const { height } = EFFECT_SIZE;
  const middle = height / 2;
  const { color, shape } = EFFECT_STYLES[verdict];
  const ratio = change === null ? scale.domain[1] : 1 + change;
  const interval =
    change === null || noise === null ? '' : drawInterval(ratio - noise, ratio + noise, scale, color);
  const isOpen = verdict === 'no evidence' || verdict === 'untested';
  const mark = writeElement('path', {
    class: isOpen ? `line s-${color} f-paper` : `f-${color}`,
    d: `M${roundPixel(place(ratio, scale))} ${middle}${shape}`,
  });
  return drawZone(scale, minChange, height) + interval + mark;
}

/** Returns the position of a ratio, which is at an end of the axis if it is outside of it. */
function place(ratio: number, scale: Scale): number {
  const [low, high] = scale.domain;
  return scale.toPixel(Math.min(high, Math.max(low, ratio)));
}

/** Draws the line of an interval, with a caret at each end that is outside of the axis. */
function drawInterval(from: number, to: number, scale: Scale, color: ColorName): string {
  const middle = EFFECT_SIZE.height / 2;
  const [low, high] = scale.domain;
  const [left, right] = [from, to].map(ratio => roundPixel(place(ratio, scale))) as [number, number];
  const ends = [
    from < low * 0.999 ? `M${roundPixel(left - 2)} ${middle - 4}l-6 4l6 4` : `M${left} ${middle - 4}v8`,
    to > high * 1.001 ? `M${roundPixel(right + 2)} ${middle - 4}l6 4l-6 4` : `M${right} ${middle - 4}v8`,
  ];
  return writeElement('path', { class: `line s-${color}`, d: `M${left} ${middle}H${right}${ends.join('')}` });
}

/** Draws the zone of changes that count as unchanged, and the line of no change. */
function drawZone(scale: Scale, minChange: number, height: number): string {
  const [left, right] = [1 - minChange, 1 + minChange].map(ratio => place(ratio, scale)) as [number, number];
  const zone = writeElement('rect', {
    class: 'same',
    x: roundPixel(Math.min(left, scale.toPixel(1) - 1.5)),
    y: 0,
    width: roundPixel(Math.max(3, right - left)),
    height,
  });
  return zone + writeElement('path', { class: 'axis', d: `M${roundPixel(scale.toPixel(1))} 0V${height}` });
}

/** Draws the labels of the axis of effects, such as `-50%`. */
export function drawEffectAxis(scale: Scale): string {
  const { width } = EFFECT_SIZE;
  return writeElement(
    'svg',
    { class: 'drawing effect', viewBox: `0 0 ${width} 18`, 'aria-hidden': 'true' },
    ...drawEffectTicks(scale, 13),
  );
}

function drawEffectTicks(scale: Scale, y: number): string[] {
  const [low, high] = scale.domain;
  const inside = TICKS.filter(ratio => ratio >= low * 0.999 && ratio <= high * 1.001);
  const kept: number[] = [1];
  // From the outside, so that the widest changes are labelled.
  for (const ratio of [...inside].sort((a, b) => Math.abs(Math.log(b)) - Math.abs(Math.log(a))))
    if (kept.every(other => Math.abs(scale.toPixel(other) - scale.toPixel(ratio)) >= LABEL_WIDTH))
      kept.push(ratio);
  return kept.map(ratio =>
    writeElement(
      'text',
      { class: 'tick middle', x: roundPixel(scale.toPixel(ratio)), y },
      formatRatio(ratio),
    ),
  );
}

function formatRatio(ratio: number): string {
  const percent = Math.round((ratio - 1) * 100);
  return percent > 0 ? `+${percent}%` : `${percent}%`;
}

/** Approximate width of a character of 12 pixels. */
const CHARACTER_WIDTH = 6.4;
const AXIS_HEIGHT = 20;

/** Returns the size of a drawing of effects with their names. */
export function measureForest(effects: readonly Effect[]): {
  readonly width: number;
  readonly height: number;
} {
  const [names, texts] = measureTexts(effects);
  return {
    width: Math.ceil(names + EFFECT_SIZE.width + texts),
    height: AXIS_HEIGHT + effects.length * EFFECT_SIZE.height,
  };
}

function measureTexts(effects: readonly Effect[]): [names: number, texts: number] {
  const measure = (texts: readonly string[]): number =>
    12 + CHARACTER_WIDTH * texts.reduce((longest, { length }) => Math.max(longest, length), 0);
  return [measure(effects.map(({ name }) => name)), measure(effects.map(effect => formatMarked(effect)))];
}

function formatMarked({ verdict, text }: Effect): string {
  return `${EFFECT_STYLES[verdict].symbol} ${text}`;
}

/** Draws effects with their names as one picture. */
export function drawForest(title: string, effects: readonly Effect[], minChange: number): string {
  const { width, height } = measureForest(effects);
  const [names] = measureTexts(effects);
  const scale = createEffectScale(effects);
  const drawRow = (effect: Effect, i: number): string => {
    const y = AXIS_HEIGHT + i * EFFECT_SIZE.height;
    const base = roundPixel(y + EFFECT_SIZE.height / 2 + 4);
    return (
      writeElement('text', { class: 'tick', x: 6, y: base }, escapeText(effect.name)) +
      writeElement('svg', { x: names, y, ...EFFECT_SIZE }, drawEffectParts(effect, scale, minChange)) +
      writeElement(
        'text',
        { class: 'tick', x: roundPixel(names + EFFECT_SIZE.width + 6), y: base },
        escapeText(formatMarked(effect)),
      )
    );
  };
  return writeElement(
    'svg',
    { class: 'drawing', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': title },
    writeElement(
      'svg',
      { x: names, y: 0, width: EFFECT_SIZE.width, height: AXIS_HEIGHT },
      ...drawEffectTicks(scale, 13),
    ),
    ...effects.map(drawRow),
  );
}
