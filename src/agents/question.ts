/** What a CLI asks a person, where it can be answered without its terminal; as it is shown. */
export interface ShownQuestion {
  /** By which people and scripts name it; another text or another request has another one. */
  readonly id: string;
  readonly asks: 'command' | 'edit' | 'tool';
  /** In the CLI's own words, one fact a line. */
  readonly text: string;
  readonly decisions: readonly ('allow' | 'deny')[];
  /** A sub-agent of it asks. */
  readonly isSubAgents?: true;
  /** `text` is its beginning alone. */
  readonly isCut?: true;
}
