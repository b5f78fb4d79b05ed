import type { Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import type { Selections } from '../ports/run.ts';
import type { Resource } from '../ports/item.ts';
import type { Excluded, Unread } from './cursor-state.ts';
import type { KnownItems } from './known-items.ts';
import type { Meter } from './meter.ts';
import type { Step } from './step.ts';

/** What an enumeration may look at. */
export interface EnumerateContext {
  readonly resource: Resource;
  readonly selections: Selections;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly known: KnownItems;
  readonly meter: Meter;
  /** Where a scope goes on: what the last committed segment says, or this run has set. */
  cursor(scope: string): string | undefined;
  /** Scopes whose name begins with `prefix`. */
  scopes(prefix: string): readonly string[];
  readonly excluded: ReadonlyMap<string, Excluded>;
  /** Items that earlier runs could not read; each is to be put, resolved or failed again. */
  readonly unread: ReadonlyMap<string, Unread>;
}

/** How one kind of resource is enumerated. Everything else is the same for all. */
export interface Workload {
  /** Application roles that a backup needs, by Microsoft's names. */
  readonly roles: readonly string[];
  enumerate(context: EnumerateContext): AsyncIterable<Step>;
}
