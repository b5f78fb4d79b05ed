import { ValidationError } from './problem.ts';
import { phrasesOf, type Language } from './language.ts';
import type { z } from 'zod';
import * as locales from 'zod/locales';

const localeErrors = { en: locales.en().localeError, de: locales.de().localeError };

/** A message of a schema may be a key of the phrases (`validation.time`); zod's own words stand in otherwise. */
function textOf(message: string, language: Language): string {
  if (!/^[a-zA-Z]+(\.[a-zA-Z-]+)+$/.test(message)) return message;
  let node: unknown = phrasesOf(language);
  for (const step of message.split('.')) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, step)) return message;
    node = (node as Record<string, unknown>)[step];
  }
  return typeof node === 'string' ? node : message;
}

function fieldsOf(issues: readonly z.core.$ZodIssue[], language: Language): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const issue of issues) {
    const field = issue.path.length === 0 ? 'body' : issue.path.map(String).join('.');
    (fields[field] ??= []).push(textOf(issue.message, language));
  }
  return fields;
}

/** Parses one part of a request; a refusal names each field that is wrong, in the caller's language. */
export function parsePart<S extends z.ZodType>(
  schema: S,
  value: unknown,
  options: { language: Language; part: 'params' | 'query' | 'body' },
): z.output<S> {
  const result = schema.safeParse(value, { error: localeErrors[options.language] });
  if (result.success) return result.data;
  const code = options.part === 'params' ? 'request.malformed-id' : 'request.invalid';
  throw new ValidationError(code, fieldsOf(result.error.issues, options.language));
}
