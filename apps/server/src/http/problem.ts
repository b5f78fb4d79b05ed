import { errors, isErrorCode, type ErrorCode } from '@holdfast/contract/errors';
import type { Problem } from '@holdfast/contract/values';
import { AppError, systemCode } from '@holdfast/foundation/errors';
import { STATUS_CODES } from 'node:http';
import { fill, phrasesOf, reasonText, type Language } from './language.ts';

/** A refused request with the fields that are wrong; the texts are already in the caller's language. */
type RefusalCode = 'request.invalid' | 'request.malformed-id' | 'search.invalid';

export class ValidationError extends AppError<RefusalCode> {
  readonly fields: Readonly<Record<string, string[]>>;
  constructor(code: RefusalCode, fields: Readonly<Record<string, string[]>>) {
    super(code);
    this.fields = fields;
  }
}

/** What is wrong with the field, as exactly as the service knows: the name of a rule, or the code of a part below. */
function exactText({ details: { rule, reason } }: AppError, language: Language): string | undefined {
  const phrases = phrasesOf(language);
  const rules: Readonly<Record<string, string>> = phrases.rules;
  if (rule === 'validation.email') return phrases.validation.email;
  if (typeof rule === 'string') return rules[rule];
  return typeof reason === 'string' ? reasonText(reason, language) : undefined;
}

/** A field that a service refused: `new AppError('tenants.certificate-invalid', { details: { field, rule: 'certificateExpired' } })`. */
function fieldsOf(error: AppError, language: Language): Record<string, string[]> | undefined {
  if (error instanceof ValidationError) return { ...error.fields };
  const { field } = error.details;
  if (typeof field !== 'string') return undefined;
  const text = exactText(error, language) ?? messageOf(publicCode(error) ?? 'request.invalid', language, error.details);
  return { [field]: [text] };
}

const FASTIFY_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request.unsupported-type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'request.too-large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'request.invalid',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'request.malformed-json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'request.malformed-json',
  FST_ERR_BAD_URL: 'request.invalid',
  FST_ERR_MAX_PARAM_LENGTH: 'not-found',
  FST_REQ_FILE_TOO_LARGE: 'request.too-large',
  FST_FILES_LIMIT: 'request.too-large',
  FST_PARTS_LIMIT: 'request.too-large',
  FST_FIELDS_LIMIT: 'request.too-large',
  FST_PROTO_VIOLATION: 'request.invalid',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'request.unsupported-type',
};

/** Codes of PostgreSQL and the system that mean "come back later", not "we are broken". */
const UNAVAILABLE = new Set([
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08001',
  '08003',
  '08006',
  'ECONNREFUSED',
  'database.unavailable',
]);

/**
 * What PostgreSQL refuses to read at all: half a character, a NUL, a text where an id or a time must be.
 * Schemas refuse most of it before; what they let through was still the client's, and no fault of ours.
 */
const UNREADABLE: Readonly<Record<string, ErrorCode>> = {
  '22P02': 'request.malformed-id',
  '22P05': 'request.invalid',
  '22021': 'request.invalid',
  '22007': 'request.invalid',
  '22008': 'request.invalid',
};

/** The public code of any thrown value; undefined for what clients must not be told. */
export function publicCode(error: unknown): ErrorCode | undefined {
  const code = error instanceof AppError ? error.code : systemCode(error);
  if (code === undefined) return error instanceof SyntaxError && 'statusCode' in error ? 'request.malformed-json' : undefined;
  if (isErrorCode(code)) return code;
  if (UNAVAILABLE.has(code)) return 'service.unavailable';
  return FASTIFY_CODES[code] ?? UNREADABLE[code];
}

/** The sentence a user reads for a code. */
export function messageOf(code: ErrorCode, language: Language, details: AppError['details'] = {}): string {
  return fill(phrasesOf(language).errors[code], details);
}

export interface ProblemAnswer {
  readonly status: number;
  readonly body: Problem;
  /** False when nobody has told this error before: it must be logged, once, here at the edge. */
  readonly isKnown: boolean;
  readonly retryAfterSeconds?: number;
}

/** Turns any thrown value into the problem document a client gets. Unknown ones become `internal` without their text. */
export function problemOf(error: unknown, language: Language, requestId: string): ProblemAnswer {
  const known = publicCode(error);
  const code = known ?? 'internal';
  const status = errors[code];
  const details = error instanceof AppError ? error.details : {};
  const fields = error instanceof AppError && status < 500 ? fieldsOf(error, language) : undefined;
  const waitSeconds = details['retryAfterSeconds'];
  const retryAfterSeconds = typeof waitSeconds === 'number' ? waitSeconds : status === 503 ? 5 : status === 429 ? 60 : undefined;
  const body: Problem = {
    type: `urn:holdfast:error:${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    message: messageOf(code, language, known ? details : {}),
    code,
    requestId,
    ...(fields ? { errors: fields } : {}),
  };
  return { status, body, isKnown: known !== undefined, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}
