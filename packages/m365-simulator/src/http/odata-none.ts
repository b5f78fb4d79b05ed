import { isJsonObject, type JsonValue } from '../values/json.ts';
import { jsonBytes, type JsonBody } from './reply.ts';

const KEPT = new Set(['@odata.nextLink', '@odata.deltaLink', '@odata.count']);

function strip(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((entry: JsonValue) => strip(entry) ?? null);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([name]) => !name.includes('@odata.') || KEPT.has(name));
  return Object.fromEntries(entries.map(([name, inner]) => [name, strip(inner)]));
}

/** True when the client wants JSON without control information. */
export function wantsNoMetadata(accept: string | undefined): boolean {
  return accept !== undefined && /odata\.metadata=none/iu.test(accept);
}

/** The same JSON without annotations, as `odata.metadata=none` asks; links to more pages stay. */
export function withoutMetadata(json: JsonBody): JsonBody {
  const value = JSON.parse(jsonBytes(json).toString()) as JsonValue;
  return JSON.stringify(strip(value));
}
