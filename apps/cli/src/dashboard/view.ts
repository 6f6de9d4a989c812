/** The high percentiles that can be shown. */
const TAILS = ['p99', 'p95', 'p90'] as const;

/** The content of the dashboard, as chosen with keys. */
export interface View {
  readonly panel: 'overview' | 'servers' | 'log';
  readonly tail: (typeof TAILS)[number];
  /** The requests that percentiles describe: of the last 60 s, or of the whole phase. */
  readonly span: 'recent' | 'total';
}

/** The view at the start. */
export const FIRST_VIEW: View = { panel: 'overview', tail: 'p99', span: 'recent' };

/** Returns the view after a key was pressed; the same view if the key has no meaning. */
export function changeView(view: View, key: string): View {
  switch (key) {
    case 'p':
      return { ...view, tail: TAILS[(TAILS.indexOf(view.tail) + 1) % TAILS.length]! };
    case 'w':
      return { ...view, span: view.span === 'recent' ? 'total' : 'recent' };
    case 's':
      return { ...view, panel: view.panel === 'servers' ? 'overview' : 'servers' };
    case 'l':
      return { ...view, panel: view.panel === 'log' ? 'overview' : 'log' };
    default:
      return view;
  }
}

/** Lists the keys and what they do, with the current choices. */
export function describeKeys({ tail, span }: View): string {
  const percentiles = span === 'recent' ? 'of the last 60 s' : 'of the whole phase';
  return `p ${tail}   w percentiles ${percentiles}   s servers   l log   q quit`;
}
