import type { JsonValue } from '../values/json.ts';
import type { Host } from './host.ts';

export interface SignedLink {
  readonly host: Exclude<Host, 'graph'>;
  /** The host name of way 1, where a kind has several: `contoso-my.sharepoint.com`. */
  readonly hostName: string;
  /** Path below the host, encoded, with leading slash. */
  readonly path: string;
  /** Comes back as `Context.claims`. Together with the path it is all that the link opens. */
  readonly claims: Readonly<Record<string, JsonValue>>;
  readonly livesSeconds: number;
  /** What an expired link answers: 401 for downloads (unless given), 404 for upload sessions. */
  readonly expiredStatus?: 401 | 404;
  /** More of the query (`UniqueId=…`), before the token. */
  readonly query?: string;
}

/** Makes addresses that stay on the one by which the request came, in both ways of reaching the simulator. */
export interface Links {
  /** `https://graph.microsoft.com/v1.0` as the client sees it; `/beta` when the request went there. */
  readonly graph: string;
  /** The request's own address without query, for nextLink and deltaLink. */
  readonly self: string;
  /** `@odata.context` for `fragment` (what stands after `$metadata#`). */
  context(fragment: string): string;
  /** Own address with these query parameters in place of the old ones. */
  withQuery(parameters: Readonly<Record<string, string>>): string;
  /** A pre-authenticated address on another host, with expiry. */
  signed(link: SignedLink): string;
}
