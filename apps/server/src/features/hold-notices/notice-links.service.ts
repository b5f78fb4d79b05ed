import type { openNotice } from '@holdfast/contract/hold-notices';
import type { Realm, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { z } from 'zod';
import type { AuditInbox } from '../audit/index.ts';
import { tokenHash, type Caller } from '../identity/index.ts';
import type { HoldNoticesStore, ToldPerson } from './hold-notices.store.ts';

type OpenNotice = z.input<typeof openNotice>;

/** The recipient's side. Whoever has a link reads one notice and acknowledges it; of a wrong link nobody learns what was wrong. */
export interface NoticeLinksService {
  look(code: string, realm: Realm): Promise<OpenNotice>;
  acknowledge(code: string, realm: Realm, caller: Caller): Promise<OpenNotice>;
}

export interface NoticeLinksParts {
  readonly store: HoldNoticesStore;
  readonly audit: AuditInbox;
  readonly clock: Clock;
}

function viewOf({ recipient, notice, organisationName }: ToldPerson): OpenNotice {
  return {
    organisationName,
    sender: notice.sender,
    address: recipient.address,
    subject: notice.subject,
    message: notice.message,
    createdAt: notice.created_at.toISOString(),
    acknowledgedAt: recipient.acknowledged_at?.toISOString() ?? null,
  };
}

export function createNoticeLinksService({ store, audit, clock }: NoticeLinksParts): NoticeLinksService {
  async function open<T>(code: string, realm: Realm, work: (tx: Tx, told: ToldPerson) => Promise<T>): Promise<T> {
    const hash = tokenHash(code);
    const scope = await store.scopeOfLink(hash);
    if (scope?.realm !== realm) throw new AppError('hold-notices.link-over');
    return store.within(scope, async (tx) => {
      const told = await store.byLink(tx, hash, now(clock));
      if (!told?.hold.is_in_force) throw new AppError('hold-notices.link-over');
      return work(tx, told);
    });
  }

  return Object.freeze<NoticeLinksService>({
    look: (code, realm) => open(code, realm, (_tx, told) => Promise.resolve(viewOf(told))),
    acknowledge: (code, realm, caller) =>
      open(code, realm, async (tx, told) => {
        const { recipient, notice, hold } = told;
        if (recipient.acknowledged_at !== null) return viewOf(told);
        const at = now(clock);
        await store.acknowledge(tx, recipient.recipient_id, at);
        await audit.record(tx, {
          event: 'hold-notices.acknowledged',
          // Whoever had the link: nobody has signed in.
          actor: { kind: 'anonymous', name: recipient.address, address: caller.address, requestId: caller.requestId },
          subject: { kind: 'hold', id: hold.hold_id, name: hold.name },
          details: { subject: notice.subject, recipient: recipient.address },
        });
        return viewOf({ ...told, recipient: { ...recipient, acknowledged_at: at } });
      }),
  });
}
