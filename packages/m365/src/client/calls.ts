import type { Bytes } from '@holdfast/foundation/streams';

/** Every object that the service returns has its id checked. */
export type Known<T> = T & { readonly id: string };

/** Free properties for a write. The service ignores nothing silently: an unknown property is refused. */
export type Body = Readonly<Record<string, unknown>>;

/**
 * How to find out whether a create was carried out although its answer was lost (429, 5xx, reset). Returns what was
 * created, or `undefined` when nothing was. Without it such a create fails with `graph.write-uncertain` and is not repeated.
 */
export type Recover<T> = () => Promise<T | undefined>;

export interface CreateOptions<T> {
  readonly recover?: Recover<T>;
}

/** Content that can be read again from any offset, as repeated fragments need it. */
export interface UploadSource {
  readonly sizeBytes: number;
  open(offsetBytes: number): Bytes;
}

/** A stream of content. It continues by itself after resets, time-outs and expired addresses, and never ends short. */
export interface Content {
  /** Size, once reading has begun and when the service says it. */
  readonly sizeBytes?: number;
  /** Known once reading has begun. */
  readonly contentType?: string;
  readonly bytes: Bytes;
}
