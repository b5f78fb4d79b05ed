import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';

export type Logger = PinoLogger;
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

const SECRET_NAMES = [
  'password',
  'oldPassword',
  'newPassword',
  'token',
  'accessToken',
  'refreshToken',
  'clientSecret',
  'certificate',
  'privateKey',
  'secret',
  'secretAccessKey',
  'accessKeyId',
  'authorization',
  'cookie',
  'code',
  'resetCode',
  'twoFactorCode',
  'recoveryCode',
  'masterKey',
  'downloadUrl',
  'uploadUrl',
] as const;

/** Secrets are struck out by name at the top and up to two levels down; values never reach the output. */
const REDACTED_PATHS = SECRET_NAMES.filter((name) => name !== 'code').flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** A structured logger (JSON lines) that strikes out secrets by name. */
export function createLogger(options: { readonly level: LogLevel; readonly destination?: DestinationStream }): Logger {
  const settings = {
    level: options.level,
    base: null,
    redact: { paths: [...REDACTED_PATHS, 'req.headers.authorization', 'req.headers.cookie'], censor: '[redacted]' },
  };
  return options.destination ? pino(settings, options.destination) : pino(settings);
}

/** A logger that says nothing, for tests and for tools. */
export const silentLogger: Logger = pino({ level: 'silent' });
