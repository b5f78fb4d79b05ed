import type { ErrorDialect, WireError } from '../../http/error-writer.ts';
import { fill, languageOf, phrasesOf, type Language } from '../../http/language.ts';
import type { ProblemAnswer } from '../../http/problem.ts';
import type { IdentityOptions } from './options.ts';
import { minimumLength, passwordMaxLength } from './password-policy.ts';
import { IdentityRefusal, type FaultKey } from './refusal.ts';

const PROBLEM = 'application/problem+json';
const VALIDATION_TYPE = 'https://tools.ietf.org/html/rfc9110#section-15.5.1';
const UNAUTHORIZED_TYPE = 'https://tools.ietf.org/html/rfc9110#section-15.5.2';

/** The sentence for a key, in the caller's language. */
export function faultText(key: FaultKey, language: Language, options: IdentityOptions): string {
  const { validation, rules } = phrasesOf(language);
  const texts: Readonly<Record<FaultKey, string>> = {
    InvalidEmail: validation.email,
    InvalidUserName: validation.userName,
    DuplicateUserName: rules.duplicateUserName,
    PasswordTooShort: fill(validation.passwordLength, { count: minimumLength(options.password) }),
    PasswordTooLong: fill(rules.passwordTooLong, { count: passwordMaxLength }),
    PasswordRequiresNonAlphanumeric: validation.passwordSpecial,
    PasswordRequiresDigit: rules.passwordRequiresDigit,
    PasswordRequiresLower: rules.passwordRequiresLower,
    PasswordRequiresUpper: rules.passwordRequiresUpper,
    PasswordTooCommon: rules.passwordTooCommon,
    PasswordMismatch: rules.passwordWrong,
    OldPasswordRequired: rules.oldPasswordRequired,
    InvalidToken: rules.invalidToken,
    RequiresTwoFactor: rules.requiresTwoFactor,
    InvalidTwoFactorCode: rules.invalidTwoFactorCode,
    CannotResetSharedKeyAndEnable: rules.cannotResetSharedKeyAndEnable,
    StepUpRequired: rules.stepUpRequired,
  };
  return texts[key];
}

function refusalBody(refusal: IdentityRefusal, language: Language, options: IdentityOptions): Record<string, unknown> | undefined {
  if (refusal.keys.length > 0) {
    const errors = Object.fromEntries(refusal.keys.map((key) => [key, [faultText(key, language, options)]]));
    return { type: VALIDATION_TYPE, title: 'One or more validation errors occurred.', status: 400, errors };
  }
  if (refusal.detail === undefined) return undefined;
  return { type: UNAUTHORIZED_TYPE, title: 'Unauthorized', status: 401, detail: refusal.detail };
}

function withOurs(
  body: Record<string, unknown>,
  refusal: IdentityRefusal,
  answer: ProblemAnswer,
  language: Language,
): Record<string, unknown> {
  const [first] = refusal.keys;
  const errors = body['errors'] as Record<string, string[]> | undefined;
  const message = first === undefined ? phrasesOf(language).errors[refusal.code] : (errors?.[first]?.[0] ?? answer.body.message);
  return { ...body, message, code: answer.body.code, requestId: answer.body.requestId };
}

const EMPTY = new Set([400, 404, 405, 415]);

/** Errors as upstream words them: keys, details, and empty answers. In `hardened` problems carry our members too. */
export function identityDialect(options: IdentityOptions): ErrorDialect {
  return (error, answer, request): WireError | undefined => {
    const language = languageOf(request.headers['accept-language']);
    if (error instanceof IdentityRefusal && !error.isEmpty) {
      const body = refusalBody(error, language, options);
      if (!body) return undefined;
      const told = options.profile === 'hardened' ? withOurs(body, error, answer, language) : body;
      return { status: answer.status, headers: { 'content-type': PROBLEM, 'cache-control': 'no-store' }, body: JSON.stringify(told) };
    }
    if (answer.status === 401) return { status: 401, headers: { 'www-authenticate': 'Bearer', 'cache-control': 'no-store' } };
    return EMPTY.has(answer.status) ? { status: answer.status, headers: { 'cache-control': 'no-store' } } : undefined;
  };
}
