import type { Caller } from '../client/caller.ts';
import type { UploadSource } from '../client/calls.ts';
import { asSession, uploadInSession } from '../client/content/upload-session.ts';
import type { GraphCall } from '../client/request/graph-call.ts';
import type { AttachmentDescription } from './mail-api.ts';

/** Below 4 MB a fragment, as the service demands, and a multiple of 320 KiB. */
export const ATTACHMENT_FRAGMENT_BYTES = 12 * 320 * 1024;

/** Sends an attachment through a session. The place of the finished attachment names its id. */
export async function uploadAttachment(
  caller: Caller,
  target: Pick<GraphCall, 'route' | 'params'> & { readonly mailbox: string },
  attachment: AttachmentDescription & { readonly source: UploadSource },
): Promise<{ readonly attachmentId?: string }> {
  const { source, ...description } = attachment;
  const answer = await uploadInSession(
    caller,
    {
      put: 'PUT outlook:{uploadUrl}',
      fragmentBytes: ATTACHMENT_FRAGMENT_BYTES,
      mailbox: target.mailbox,
      open: () =>
        caller.get(
          { ...target, json: { AttachmentItem: { attachmentType: 'file', ...description, size: source.sizeBytes } }, isRepeatable: true },
          asSession,
        ),
    },
    source,
  );
  const attachmentId = /Attachments\('([^']+)'\)/.exec(answer.headers['location'] ?? '')?.[1];
  return attachmentId === undefined ? {} : { attachmentId: decodeURIComponent(attachmentId) };
}
