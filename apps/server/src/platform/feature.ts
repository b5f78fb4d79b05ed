import type { HttpApp } from '../http/http-app.ts';

/** What a process does besides the others: each can be absent. */
export type Role = 'api' | 'worker' | 'scheduler';

/** Ends what was started, and waits until it has ended. */
export type Stop = () => Promise<void> | void;

/** A part of the product as its process sees it. What a feature has nothing of is absent. */
export interface Feature {
  /** Hooks that watch every route, put on before the first route is mounted. */
  guard?(app: HttpApp): void;
  /** Its routes, on every surface that has some. */
  mount?(app: HttpApp): void;
  /** What it does in a process with this role besides answering requests. */
  readonly start?: { readonly [role in Role]?: () => Promise<Stop> | Stop };
  /** Lets go of what it holds. Its work has ended by then. */
  close?(): Promise<void> | void;
}

/** For what is done once and leaves nothing to end. */
export const nothingToStop: Stop = () => undefined;
