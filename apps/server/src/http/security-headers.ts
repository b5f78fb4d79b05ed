import type { FastifyReply } from 'fastify';

/** What no browser needs from us. */
const PERMISSIONS = 'accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()';

/** Headers of every answer, errors included. */
export const everyAnswer: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': PERMISSIONS,
  'strict-transport-security': 'max-age=31536000',
  'x-frame-options': 'DENY',
};

/** What an answer that is not a page may do in a browser: nothing. */
export const answerPolicy = "default-src 'none'; frame-ancestors 'none'";

/** The policy of the portal's page: our own scripts, styles of the style engine by nonce, nothing else. */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The portal makes no policy of its own, so no script can make one that lets text through as markup.
    "trusted-types 'none'",
  ].join('; ');
}

const secured: Readonly<Record<string, string>> = { ...everyAnswer, 'content-security-policy': answerPolicy };

/** Puts the headers of every answer on one, and the id by which support finds it. */
export function secure(reply: FastifyReply, requestId: string): void {
  reply.headers(secured).header('x-request-id', requestId);
}
