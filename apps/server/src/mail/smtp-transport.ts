import { createTransport } from 'nodemailer';
import type { Secret } from '@holdfast/foundation/secrets';
import type { MailTransport } from './mail.ts';

const TIMEOUT_MS = 10_000;

/** Sends over SMTP. The address is the operator's setting; nothing a user enters reaches it. */
export function createSmtpTransport(options: { readonly url: Secret; readonly from: string }): MailTransport {
  const transport = createTransport({
    url: options.url.reveal(),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: 3 * TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return Object.freeze<MailTransport>({
    async send(mail) {
      await transport.sendMail({
        from: options.from,
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        attachments: (mail.attachments ?? []).map(({ fileName, mediaType, base64, contentId }) => ({
          filename: fileName,
          contentType: mediaType,
          content: Buffer.from(base64, 'base64'),
          ...(contentId === undefined ? {} : { cid: contentId, contentDisposition: 'inline' as const }),
        })),
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
  });
}
