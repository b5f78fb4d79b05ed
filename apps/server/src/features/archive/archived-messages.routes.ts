import { archivedMessages as contract } from '@holdfast/contract/archived-messages';
import type { Realm } from '@holdfast/database';
import type { Context } from '../../http/context.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import type { ContentCaller } from '../content/index.ts';
import { askingOf } from '../identity/index.ts';
import type { ArchivedMessagesService } from './archived-messages.service.ts';
import type { ArchivedSelections } from './archived-selections.service.ts';
import type { PrivateMessages } from './private-messages.service.ts';
import type { MessageProofs } from './message-proof.service.ts';

type Ticketed = Pick<Context<typeof contract.get>, 'actor' | 'organisation' | 'realm' | 'request'>;

const callerOf = (context: Ticketed): ContentCaller => ({ actor: context.actor, scope: scopeOf(context), request: context.request });

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
        return selections.restore({ ...askingOf(context), tenantId }, callerOf(context), context.body);
      },
      get: (context) => messages.get(callerOf(context), { ...context.params, ...context.query }),
      markPrivate(context) {
        const { ticket, isPrivate } = context.body;
        return privacy.mark(callerOf(context), { ...context.params, ticket }, isPrivate);
      },
      proof: (context) => proofs.proof(callerOf(context), { ...context.params, ...context.query }),
      raw: (context) => messages.file(callerOf(context), { ...context.params, ...context.query }, context.signal),
      part: (context) => messages.file(callerOf(context), { ...context.params, ...context.query }, context.signal),
    },
    { surface: 'main', realm },
  );
}
