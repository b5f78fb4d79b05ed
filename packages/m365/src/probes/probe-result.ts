/** What came of one probe. */
export interface ProbeResult {
  readonly name: string;
  readonly relies: string;
  readonly outcome: 'as expected' | 'different' | 'not asked';
  /** What was answered instead, or why it was not asked. */
  readonly detail?: string;
}
