import type { Recover } from '../calls.ts';
import type { RouteName } from '../routes/routes.ts';

/** Bytes with their own content type instead of JSON. */
export interface RawBody {
  readonly bytes: Uint8Array | string;
  readonly contentType: string;
}

/** One request, described. `route` and `params` give address, budgets and permissions. */
export interface GraphCall {
  readonly route: RouteName;
  readonly params?: readonly string[];
  /** An address the service gave us, used verbatim in place of the route's own. */
  readonly link?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Preferences, each as it stands in the header. */
  readonly prefer?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly raw?: RawBody;
  /** The mailbox to charge when the first parameter is not its owner. */
  readonly mailbox?: string;
  readonly bytesIn?: number;
  readonly bytesOut?: number;
  /** The parts of a batch: they are charged, the batch itself is not. */
  readonly inner?: readonly GraphCall[];
  /** A request that only finds out whether it is allowed: its refusal is the answer. */
  readonly isProbe?: boolean;
  /** A page of a collection. */
  readonly isPage?: boolean;
  /** A POST that does no harm when it is carried out twice. Other methods always are repeatable. */
  readonly isRepeatable?: boolean;
  /** How to find what a POST created whose answer was lost. */
  readonly recover?: Recover<unknown>;
}
