import type { FastifyReply } from 'fastify';
import type { CookieOptions, ReplyTools } from './context.ts';

/** What a handler asked for besides its answer. */
export interface SentExtras {
  contentType?: string;
}

function serialised(options: CookieOptions): Record<string, unknown> {
  return {
    path: options.path,
    httpOnly: options.httpOnly ?? true,
    secure: options.secure ?? true,
    sameSite: options.sameSite ?? 'strict',
    ...(options.maxAgeSeconds === undefined ? {} : { maxAge: options.maxAgeSeconds }),
  };
}

/** The tools a handler is given over the reply. */
export function replyTools(reply: FastifyReply, extras: SentExtras): ReplyTools {
  return {
    header(name, value) {
      reply.header(name, value);
    },
    etag(version) {
      reply.header('etag', `"${version}"`);
    },
    setCookie(name, value, options) {
      reply.setCookie(name, value, serialised(options));
    },
    clearCookie(name, options) {
      reply.clearCookie(name, serialised(options));
    },
    contentType(mediaType) {
      extras.contentType = mediaType;
    },
  };
}
