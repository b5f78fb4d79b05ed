import type { JsonObject } from '../../src/values/json.ts';

/** A request as the reference documents it, in our own words, and what the service answers. */
export interface Example {
  /** Method and address below `/v1.0`; `{name}` stands for something found or kept before. */
  readonly asks: string;
  readonly body?: JsonObject;
  /** A body that is no JSON. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** Properties of the answer, or of the first entry of its `value`. */
  readonly has?: readonly string[];
  /** Properties with their values, likewise. */
  readonly is?: Readonly<Record<string, unknown>>;
  /** The code of a refusal. */
  readonly code?: string;
  /** Keeps the id of the answer, or of its first entry, under a name. */
  readonly keeps?: string;
}
