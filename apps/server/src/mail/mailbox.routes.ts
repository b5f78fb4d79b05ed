import { AppError } from '@holdfast/foundation/errors';
import { isFromThisMachine } from '../http/caller-address.ts';
import type { HttpApp } from '../http/http-app.ts';
import type { MailFolder } from './folder-transport.ts';
import { escapeHtml } from './templates.ts';

const SHOWN = 50;
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'cache-control': 'no-store',
} as const;

/** Text whose addresses can be followed. Nothing else of a mail becomes markup. */
function linked(text: string): string {
  return escapeHtml(text).replaceAll(/https?:\/\/[^\s&]+(?:&amp;[^\s&]+)*/g, (address) => `<a href="${address}">${address}</a>`);
}

/**
 * Mails of an installation without a mail server, as one page for whoever sits at this machine. Serves
 * no other address: mails carry links that set passwords.
 */
export function serveMailbox(app: HttpApp, folder: MailFolder): void {
  app.server.get('/mailbox', async (request, reply) => {
    if (!isFromThisMachine(request)) throw new AppError('not-found');
    const mails = await folder.list(SHOWN);
    const items = mails.map(
      (mail) =>
        `<article><h2>${escapeHtml(mail.subject)}</h2><p>${escapeHtml(mail.to)} · <time>${mail.at}</time></p><pre>${linked(mail.text)}</pre></article>`,
    );
    const body = items.length === 0 ? '<p>No mail has been sent yet. / Es wurde noch keine E-Mail gesendet.</p>' : items.join('\n');
    const style =
      'body{font-family:Segoe UI,Arial,sans-serif;max-width:800px;margin:24px auto;padding:0 16px}pre{white-space:pre-wrap;background:#f4f6f9;padding:12px}';
    return reply
      .headers(HEADERS)
      .send(
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mailbox</title><style>${style}</style></head><body><h1>Mailbox</h1>${body}</body></html>`,
      );
  });
}
