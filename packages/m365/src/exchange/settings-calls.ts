import type { MailboxSettings, MessageRule, OutlookCategory } from '@microsoft/microsoft-graph-types';
import type { Caller } from '../client/caller.ts';
import { asObject } from '../client/checks.ts';
import { list } from '../client/paging/listing.ts';
import { UNSIZED } from '../client/paging/page.ts';
import type { MailboxSettingsCalls } from './mail-api.ts';

/** Calls of mailbox settings, rules of the inbox, and categories. */
export function createSettingsCalls(caller: Caller): MailboxSettingsCalls {
  return Object.freeze<MailboxSettingsCalls>({
    settings: ({ userId }) => caller.get({ route: 'GET /users/{id}/mailboxSettings', params: [userId] }, asObject<MailboxSettings>),
    updateSettings: ({ userId }, change) =>
      caller.get({ route: 'PATCH /users/{id}/mailboxSettings', params: [userId], json: change }, asObject<MailboxSettings>),
    rules: ({ userId }) =>
      list<MessageRule>(caller, { route: 'GET /users/{id}/mailFolders/inbox/messageRules', params: [userId] }, UNSIZED),
    createRule: ({ userId }, rule, options) =>
      caller.known({
        route: 'POST /users/{id}/mailFolders/inbox/messageRules',
        params: [userId],
        json: rule,
        ...(options?.recover ? { recover: options.recover } : {}),
      }),
    categories: ({ userId }) =>
      list<OutlookCategory>(caller, { route: 'GET /users/{id}/outlook/masterCategories', params: [userId] }, UNSIZED),
    // A second one of the same name is refused, so that repeating does no harm.
    createCategory: ({ userId }, category) =>
      caller.known({ route: 'POST /users/{id}/outlook/masterCategories', params: [userId], json: category, isRepeatable: true }),
  });
}
