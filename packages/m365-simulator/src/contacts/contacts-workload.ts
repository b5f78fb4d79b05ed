import { sha256Hex } from '@holdfast/foundation/bytes';
import { notFound } from '../http/failure.ts';
import { isJsonObject, type JsonObject, textOf } from '../values/json.ts';
import { mailboxTruth } from '../mail/mailbox-truth.ts';
import { addItem, itemsAt, putItem, removeItem } from '../state/item-list.ts';
import { ownedId, readOwnedId } from '../http/owned-ids.ts';
import { pictureBytes } from '../state/picture.ts';
import type { Tenant } from '../state/tenant.ts';
import type { Workload } from '../http/workload.ts';
import { contactRoutes } from './contact-routes.ts';
import { type ContactRecord, contactsState, DEFAULT_FOLDER } from './contact-state.ts';

const contactTruth = mailboxTruth({
  kind: 'contacts',
  changeCount: (tenant, person) => contactsState(tenant, person).contacts.journal.length,
  *records(tenant, person, at) {
    const state = contactsState(tenant, person);
    for (const record of itemsAt(state.contacts, at)) {
      const photoSha256 = record.photo ? sha256Hex(pictureBytes(tenant.received, record.photo)) : null;
      yield {
        path: state.folders.items.get(record.folder)?.displayName ?? '',
        id: ownedId(person.id, 'contact', { number: record.number, part: 0 }, true),
        kind: 'contact',
        metadata: { ...record.contact, version: record.version, photoSha256 },
      };
    }
  },
});

interface Found {
  readonly ownerId: string;
  readonly contacts: ReturnType<typeof contactsState>['contacts'];
}

function find(tenant: Tenant, input: JsonObject): Found {
  const person = typeof input['user'] === 'string' ? tenant.directory.user(input['user']) : undefined;
  if (!person) throw notFound('outlook', `There is no user ${textOf(input['user'])}.`);
  return { ownerId: person.id, contacts: contactsState(tenant, person).contacts };
}

function requireRecord({ ownerId, contacts }: Found, input: JsonObject): ContactRecord {
  const id = typeof input['id'] === 'string' ? readOwnedId(ownerId, 'contact', input['id']) : undefined;
  const record = id && contacts.items.get(id.number);
  if (!record) throw notFound('outlook', 'There is no such contact.');
  return record;
}

function contactOf(input: JsonObject): JsonObject {
  return isJsonObject(input['contact']) ? input['contact'] : {};
}

/** Contacts of every mailbox. */
export const contactsWorkload: Workload = {
  name: 'contacts',
  routes: contactRoutes,
  truth: [contactTruth],
  activities: [
    {
      name: 'contacts.create',
      run(tenant, input) {
        const found = find(tenant, input);
        const nowMs = tenant.clock.nowMs();
        const base = {
          version: 0,
          createdMs: nowMs,
          modifiedMs: nowMs,
          folder: DEFAULT_FOLDER,
          contact: contactOf(input),
          photo: undefined,
        };
        const record = addItem(found.contacts, nowMs, (number): ContactRecord => ({ ...base, number }));
        return { id: ownedId(found.ownerId, 'contact', { number: record.number, part: 0 }, true) };
      },
    },
    {
      name: 'contacts.change',
      run(tenant, input) {
        const found = find(tenant, input);
        const record = requireRecord(found, input);
        putItem(found.contacts, tenant.clock.nowMs(), { ...record, contact: { ...record.contact, ...contactOf(input) } });
        return { id: textOf(input['id']) };
      },
    },
    {
      name: 'contacts.delete',
      run(tenant, input) {
        const found = find(tenant, input);
        removeItem(found.contacts, tenant.clock.nowMs(), requireRecord(found, input));
        return { id: textOf(input['id']) };
      },
    },
  ],
};
