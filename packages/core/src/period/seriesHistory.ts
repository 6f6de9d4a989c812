/**
 * Evidence about the starts of a series and of its server, in ns since the timeline's origin. See
 * docs/decisions/0004-reference-sample-and-period.md and docs/decisions/0010-resets-and-increase.md.
 */
export interface SeriesHistory {
  /** Times of the first scrape after each restart of the server, ascending. */
  readonly restartsNs?: readonly number[];
  /**
   * Time of the last scrape before the series was created with the value 0. Absent if the series existed before the
   * period, or if there is no evidence of its creation.
   */
  readonly absentNs?: number;
  /** Reports whether a counter that falls often behaves like a gauge: its decreases are not resets. */
  readonly isGaugeLike?: () => boolean;
}
