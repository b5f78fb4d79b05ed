import { graphError } from '../errors/errors.ts';
import type { Known } from './calls.ts';

/** What an answer was expected to be, for the error. */
export type Check<T> = (value: unknown) => T;

function refuse(reason: string): never {
  throw graphError('graph.unexpected-response', { reason });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object. Its other properties are typed by Microsoft's metadata and read as optional. */
export function asObject<T>(value: unknown): T {
  return isObject(value) ? (value as T) : refuse('no object');
}

/** An object with an id, without which nothing could be kept or read again. */
export function asKnown<T>(value: unknown): Known<T> {
  if (!isObject(value)) return refuse('no object');
  return typeof value['id'] === 'string' && value['id'] !== '' ? (value as Known<T>) : refuse('no id');
}

/** The members of a page of anything. */
export function asValues(value: unknown): readonly unknown[] {
  return isObject(value) && Array.isArray(value['value']) ? (value['value'] as unknown[]) : refuse('no list of values');
}

/** A member that is a text, or nothing. */
export function textOf(value: unknown, name: string): string | undefined {
  if (!isObject(value)) return undefined;
  const member = value[name];
  return typeof member === 'string' && member !== '' ? member : undefined;
}

/** A member that must be a text. */
export function requiredText(value: unknown, name: string): string {
  return textOf(value, name) ?? refuse(`no ${name}`);
}
