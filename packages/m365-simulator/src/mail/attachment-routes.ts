import { notFound } from '../http/failure.ts';
import type { Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { openAttachmentSession, takeAttachmentPart } from './attachment-sessions.ts';
import { mailIds } from './mail-ids.ts';
import { openMailbox } from './mailbox.ts';
import { requireChangeable, requireMailbox, requireMessage } from './open.ts';
import { addAttachment } from './write-message.ts';

async function openSession(context: Context): Promise<Reply> {
  const mailbox = requireMailbox(context);
  requireChangeable(context, requireMessage(mailbox, context.params[1] ?? ''));
  return openAttachmentSession(context, mailbox.person, 'Messages');
}

function takePart(context: Context): Promise<Reply> {
  const person = context.tenant.directory.user(context.params[0] ?? '');
  if (!person) throw notFound('outlook');
  const mailbox = openMailbox(context.tenant, person);
  return takeAttachmentPart(context, (attachment) => {
    const record = requireMessage(mailbox, context.params[1] ?? '');
    const added = addAttachment(mailbox, record, attachment);
    const id = mailIds(person.id).attachment(record.key, added.index);
    return `https://outlook.office.com/api/v2.0/Users('${person.id}')/Messages('${context.params[1] ?? ''}')/Attachments('${id}')`;
  });
}

/** Attachments that are too large for one request. */
export const attachmentRoutes: readonly RouteEntry[] = [
  { method: 'POST', path: '/users/{id}/messages/{id}/attachments/createUploadSession', service: 'outlook', handler: openSession },
  {
    method: 'PUT',
    path: '/api/v2.0/Users/{id}/Messages/{id}/AttachmentSessions/{id}',
    host: 'outlook',
    service: 'outlook',
    handler: takePart,
  },
];
