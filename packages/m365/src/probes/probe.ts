import type { ServiceReader } from './service-reader.ts';

/** One behaviour of the service that the product relies on, and how to see it without changing anything. */
export interface Probe {
  /** As it stands in the table of behaviours. */
  readonly name: string;
  readonly relies: string;
  /** What the service does instead; `undefined` when it is as expected. Throws `NotAsked` when there is nothing to try it with. */
  readonly difference: (service: ServiceReader) => Promise<string | undefined>;
}
