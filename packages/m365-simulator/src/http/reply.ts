import type { JsonObject } from '../values/json.ts';

export interface BytesBody {
  readonly bytes: Uint8Array | AsyncIterable<Uint8Array>;
  readonly contentType: string;
  /** Length of a stream, when it is known. */
  readonly sizeBytes?: number;
}

/** What a scripted fault does to an answer on its way. */
export type TransportFault =
  | { readonly do: 'reset'; readonly when: string }
  | { readonly do: 'truncate'; readonly share: number }
  | { readonly do: 'slow'; readonly bytesPerSecond: number };

/** JSON as an object, or as text that is JSON already. */
export type JsonBody = JsonObject | string | Buffer;

/** What a handler answers. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: JsonBody;
  readonly body?: BytesBody;
  readonly transport?: TransportFault;
  /** Called when the answer has gone out, or never will. */
  readonly sent?: () => void;
}

export function ok(json: JsonBody, headers?: Readonly<Record<string, string>>): Reply {
  return headers ? { status: 200, json, headers } : { status: 200, json };
}

export function created(json: JsonObject, headers?: Readonly<Record<string, string>>): Reply {
  return headers ? { status: 201, json, headers } : { status: 201, json };
}

export function accepted(headers: Readonly<Record<string, string>>, json?: JsonObject): Reply {
  return json ? { status: 202, headers, json } : { status: 202, headers };
}

export const noContent: Reply = Object.freeze({ status: 204 });

/** 302 to a signed link. */
export function redirect(location: string): Reply {
  return { status: 302, headers: { Location: location } };
}

export function bytes(data: Uint8Array, contentType: string, headers?: Readonly<Record<string, string>>): Reply {
  const body = { bytes: data, contentType };
  return headers ? { status: 200, body, headers } : { status: 200, body };
}

/** The JSON of a reply as bytes. */
export function jsonBytes(json: JsonBody): Buffer {
  if (Buffer.isBuffer(json)) return json;
  return Buffer.from(typeof json === 'string' ? json : JSON.stringify(json));
}

/** Bytes of the body, as far as they are known: JSON that is not text yet counts nothing. */
export function sizeOf({ json, body }: Reply): number {
  if (typeof json === 'string') return Buffer.byteLength(json);
  if (Buffer.isBuffer(json)) return json.byteLength;
  return body?.sizeBytes ?? (body?.bytes instanceof Uint8Array ? body.bytes.byteLength : 0);
}
