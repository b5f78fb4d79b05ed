import type { Scope } from '@holdfast/database';
import type { Actor } from './actor.ts';

/** Who asks, where. */
export interface Caller {
  readonly actor: Actor;
  readonly scope: Scope;
  /** Where the call came from, for the audit log; absent when the product itself acts. */
  readonly request?: { readonly id: string; readonly address: string };
}
