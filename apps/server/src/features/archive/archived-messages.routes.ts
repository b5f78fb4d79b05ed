import { archivedMessages as contract } from '@holdfast/contract/archived-messages';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { requestedBy } from '../../http/requested-by.ts';
import { askingOf } from '../identity/index.ts';
import type { ArchivedMessagesService } from './archived-messages.service.ts';
import type { ArchivedSelections } from './archived-selections.service.ts';
import type { PrivateMessages } from './private-messages.service.ts';
import type { MessageProofs } from './message-proof.service.ts';

interface MessagesParts {
  readonly proofs: MessageProofs;
  readonly messages: ArchivedMessagesService;
  readonly selections: ArchivedSelections;
  readonly privacy: PrivateMessages;
}

/** Mounts the messages of archived mailboxes under the base path of a realm. */
export function mountArchivedMessages(app: HttpApp, { messages, selections, proofs, privacy }: MessagesParts, realm: Realm): void {
  mount(
    app,
    contract,
    {
      list(context) {
        const { reason, ...query } = context.body;
        return messages.list({ ...askingOf(context), ...context.params, reason }, query);
      },
      select(context) {
        const { reason, ...chosen } = context.body;
        return selections.select({ ...askingOf(context), ...context.params, reason }, chosen);
      },
      restore(context) {
        const { tenantId } = context.params;
        return selections.restore({ ...askingOf(context), tenantId }, requestedBy(context), context.body);
      },
      get: (context) => messages.get(requestedBy(context), { ...context.params, ...context.query }),
      markPrivate(context) {
        const { ticket, isPrivate } = context.body;
        return privacy.mark(requestedBy(context), { ...context.params, ticket }, isPrivate);
      },
      proof: (context) => proofs.proof(requestedBy(context), { ...context.params, ...context.query }),
      raw: (context) => messages.file(requestedBy(context), { ...context.params, ...context.query }, context.signal),
      part: (context) => messages.file(requestedBy(context), { ...context.params, ...context.query }, context.signal),
    },
    { surface: 'main', realm },
  );
}
