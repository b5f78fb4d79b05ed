import { isAppError, systemCode, type AppError } from '@holdfast/foundation/errors';
import { en } from '@holdfast/phrases/en';
import { ConfigError, type Config } from './settings/config.ts';
import { fill, reasonText } from './http/language.ts';
import { ValidationError } from './http/problem.ts';

const phrases: Readonly<Record<string, string>> = en.errors;

/** An error's own sentence, or else the one that the portal has for its code. */
function sentenceOfCode({ code, message, details }: AppError): string {
  if (message !== code) return message;
  const phrase = phrases[code];
  return phrase === undefined ? (reasonText(code, 'en') ?? message) : fill(phrase, details);
}

/** What is wrong, field by field: the sentence of the code alone would not say which. */
function sentenceOfFields({ fields }: ValidationError): string {
  return Object.entries(fields)
    .map(([field, texts]) => `${field}: ${texts.join(' ')}`)
    .join('\n');
}

/** Whether the system refused a file or a folder; its message names the call and the path. */
function isAboutFile(error: unknown): error is Error {
  return error instanceof Error && systemCode(error) !== undefined && 'path' in error && typeof error.path === 'string';
}

/** What went wrong in words for the operator, without a stack; `undefined` where the stack is what tells. */
export function operatorSentence(error: unknown, config: Config | undefined): string | undefined {
  if (error instanceof ConfigError) return error.message;
  const place = config && `${config.HOLDFAST_HOST}:${config.HOLDFAST_PORT}`;
  if (isAboutFile(error)) return `${error.message}. Name another path, or make this one usable for the user of this process.`;
  if (systemCode(error) === 'EADDRINUSE') return `${place} is taken by another program. Set HOLDFAST_PORT to a free port (0 takes any).`;
  if (systemCode(error) === 'EACCES' && place) return `This user may not listen on ${place}. Set HOLDFAST_PORT to a port above 1023.`;
  if (systemCode(error) === 'EADDRNOTAVAIL')
    return `This machine has no address ${config?.HOLDFAST_HOST}. Set HOLDFAST_HOST to one of its own.`;
  if (error instanceof ValidationError) return sentenceOfFields(error);
  return isAppError(error) ? sentenceOfCode(error) : undefined;
}
