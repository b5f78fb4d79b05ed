import { isJsonObject, type JsonObject, type JsonValue } from '../values/json.ts';

/** A text of a body; undefined when it is absent or something else. */
export function textField(body: JsonObject | undefined, name: string): string | undefined {
  const value = body?.[name];
  return typeof value === 'string' ? value : undefined;
}

export function objectField(body: JsonObject | undefined, name: string): JsonObject | undefined {
  const value = body?.[name];
  return isJsonObject(value) ? value : undefined;
}

/** A collection of a body; empty when it is absent or something else. */
export function listField(body: JsonObject | undefined, name: string): readonly JsonValue[] {
  const value = body?.[name];
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

/** A time of a body in milliseconds; undefined when it is absent or no time. */
export function timeField(body: JsonObject | undefined, name: string): number | undefined {
  const ms = Date.parse(textField(body, name) ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}
