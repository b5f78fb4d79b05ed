import type { JsonObject, JsonValue } from '../values/json.ts';
import { isJsonObject } from '../values/json.ts';
import type { EnumType, Member, Schema } from './csdl.ts';
import { followPath } from './property-path.ts';
import type { Target } from './resolve-path.ts';

function memberNamed(enumeration: EnumType, text: string): string {
  const lower = text.trim().toLowerCase();
  return [...enumeration.members].find((member) => member.toLowerCase() === lower) ?? text;
}

function canonicalText(enumeration: EnumType, text: string): string {
  if (!enumeration.isFlags) return memberNamed(enumeration, text);
  return text
    .split(',')
    .map((part) => memberNamed(enumeration, part))
    .join(',');
}

function canonicalValue(schema: Schema, type: string, value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((entry: JsonValue) => canonicalValue(schema, type, entry));
  if (typeof value === 'string') {
    const enumeration = type.startsWith('Edm.') ? undefined : schema.enumeration(type);
    return enumeration ? canonicalText(enumeration, value) : value;
  }
  return isJsonObject(value) ? canonicalObject(schema, type, value) : value;
}

function canonicalObject(schema: Schema, declared: string, object: JsonObject): JsonObject {
  const stated = object['@odata.type'];
  const actual = typeof stated === 'string' ? `microsoft.${stated.replace(/^#?(?:microsoft\.)?/u, '')}` : declared;
  const type = schema.structured(actual) ? actual : declared;
  const entries = Object.entries(object).map(([name, value]): [string, JsonValue | undefined] => {
    if (value === undefined || name.includes('@')) return [name, value];
    const found = followPath(schema, type, name);
    return [name, 'name' in found || found.type === undefined ? value : canonicalValue(schema, found.type, value)];
  });
  return Object.fromEntries(entries);
}

function inParameters(schema: Schema, parameters: ReadonlyMap<string, Member>, body: JsonObject): JsonObject {
  const byName = new Map([...parameters].map(([name, member]) => [name.toLowerCase(), member]));
  const entries = Object.entries(body).map(([name, value]): [string, JsonValue | undefined] => {
    const member = byName.get(name.toLowerCase());
    return [name, member && value !== undefined ? canonicalValue(schema, member.type, value) : value];
  });
  return Object.fromEntries(entries);
}

/** The same body with members of enumerations as the metadata writes them: the service takes them in any case. */
export function withCanonicalEnums(schema: Schema, target: Target, body: JsonObject): JsonObject {
  if (target.operation) return inParameters(schema, target.operation.parameters, body);
  return target.member && !target.isStream ? canonicalObject(schema, target.member.type, body) : body;
}
