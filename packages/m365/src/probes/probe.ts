import type { ServiceReader } from './service-reader.ts';

/** One behaviour of the service that the product relies on, and how to see it without changing anything. */
export interface Probe {
  /** As it stands in the table of behaviours. */
  readonly name: string;
  readonly relies: string;
  /** What the service does instead; `undefined` when it is as expected. Throws `NotAsked` when there is nothing to try it with. */
  readonly difference: (service: ServiceReader) => Promise<string | undefined>;
}

/** The tenant has nothing to try it with, or the application has not the role. */
export class NotAsked extends Error {}

/** Something that a probe needs on its way was answered otherwise than expected. */
export class AnsweredOtherwise extends Error {}

export interface ProbeResult {
  readonly name: string;
  readonly relies: string;
  readonly outcome: 'as expected' | 'different' | 'not asked';
  /** What was answered instead, or why it was not asked. */
  readonly detail?: string;
}
