import { publicHostOf, type Config } from '../../settings/config.ts';
import { isLoopback } from '../../settings/loopback.ts';
import { conformance, hardened, type IdentityOptions } from './options.ts';

/** What the settings say of signing in. Whoever works alone on one machine may leave the second factor out. */
export function identityOptionsOf(config: Config): IdentityOptions {
  if (config.HOLDFAST_IDENTITY_PROFILE === 'conformance') return conformance;
  const isLocalAlone = isLoopback(publicHostOf(config)) && config.HOLDFAST_SMTP_URL === undefined;
  return {
    ...hardened,
    registration: config.HOLDFAST_REGISTRATION,
    secondFactor: config.HOLDFAST_SECOND_FACTOR ?? (isLocalAlone ? 'optional' : 'required'),
    emailCharacters: config.HOLDFAST_EMAIL_CHARACTERS,
    password: { kind: 'product', minLength: config.HOLDFAST_PASSWORD_MIN_LENGTH, checkCommon: config.HOLDFAST_PASSWORD_CHECK_COMMON },
  };
}
