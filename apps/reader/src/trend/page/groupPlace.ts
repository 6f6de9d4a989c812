/** The place of a group on the page. */
export interface GroupPlace {
  /** The start of the identifiers of its sections. */
  readonly id: string;
  /** The end of the headings of its sections, which makes them unique; empty if there is one group. */
  readonly suffix: string;
}
