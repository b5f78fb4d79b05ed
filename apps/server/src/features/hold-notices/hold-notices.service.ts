import type { HoldNotice, HoldNoticeBody, NoticePerson } from '@holdfast/contract/hold-notices';
import type { Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { AuditInbox } from '../audit/index.ts';
import type { Asking } from '../identity/index.ts';
import { actorEntry } from '../organisations/index.ts';
import type { HoldNoticesStore, NoticedHold } from './hold-notices.store.ts';
import { namesOf, noticesOf, untoldOf } from './hold-notices.views.ts';
import type { SendNotice } from './notice-sending.ts';

export interface HoldNoticesParts {
  readonly store: HoldNoticesStore;
  readonly send: SendNotice;
  readonly isMailed: boolean;
  readonly audit: AuditInbox;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** A hold that somebody tells people of. */
export interface HoldPlace {
  readonly tenantId: string;
  readonly holdId: string;
}

export interface HoldNoticesService {
  list(asking: Asking, place: HoldPlace): Promise<{ isMailed: boolean; untold: NoticePerson[]; items: HoldNotice[] }>;
  send(asking: Asking, place: HoldPlace, body: HoldNoticeBody): Promise<HoldNotice>;
}

const DAY_MS = 86_400_000;

/** Each address once, whatever case it was written in. */
function distinct(addresses: readonly string[]): string[] {
  return [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()];
}

export function createHoldNoticesService(parts: HoldNoticesParts): HoldNoticesService {
  const { store, isMailed, audit, clock, ids } = parts;

  async function find(tx: Tx, { tenantId, holdId }: HoldPlace): Promise<NoticedHold> {
    const hold = await store.hold(tx, tenantId, holdId);
    if (!hold) throw new AppError('not-found');
    return hold;
  }

  async function add(tx: Tx, { actor }: Asking, holdId: string, body: HoldNoticeBody): Promise<string> {
    const at = now(clock);
    const notice = {
      notice_id: ids.uuid(),
      hold_id: holdId,
      subject: body.subject,
      message: body.message,
      language: body.language,
      remind_days: body.remindDays,
      sent_by: actor.accountId,
      sender: actor.email,
      created_at: at,
    };
    await store.addNotice(tx, notice);
    const names = await namesOf(tx, holdId);
    const organisationName = await store.organisationName(tx);
    for (const address of distinct(body.recipients)) {
      const recipient = await store.addRecipient(tx, {
        recipient_id: ids.uuid(),
        notice_id: notice.notice_id,
        name: names.get(address.toLowerCase()) ?? '',
        address,
        remind_at: body.remindDays === null ? null : new Date(at.getTime() + body.remindDays * DAY_MS),
      });
      const row = { ...notice, organisation_id: recipient.organisation_id, realm: recipient.realm };
      await parts.send(tx, { recipient, notice: row, organisationName }, 'holdNotice');
    }
    return notice.notice_id;
  }

  return Object.freeze<HoldNoticesService>({
    list: ({ scope }, place) =>
      store.within(scope, async (tx) => {
        const { hold_id: holdId } = await find(tx, place);
        return { isMailed, untold: await untoldOf(tx, holdId), items: await noticesOf(tx, holdId) };
      }),
    send: (asking, place, body) =>
      store.within(asking.scope, async (tx) => {
        const hold = await find(tx, place);
        if (asking.scope.realm === 'staging') throw new AppError('hold-notices.staging');
        if (!hold.is_in_force) throw new AppError('hold-notices.hold-ended');
        const noticeId = await add(tx, asking, hold.hold_id, body);
        await audit.record(tx, {
          event: 'hold-notices.sent',
          actor: actorEntry(asking.actor, asking.caller),
          subject: { kind: 'hold', id: hold.hold_id, name: hold.name },
          details: { subject: body.subject, recipients: distinct(body.recipients), remindDays: body.remindDays },
        });
        const made = (await noticesOf(tx, hold.hold_id)).find((one) => one.noticeId === noticeId);
        if (!made) throw new Error('A notice that was just written is not there.');
        return made;
      }),
  });
}
