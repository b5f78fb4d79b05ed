import { describe, expect, it } from 'vitest';
import { calendarWorkload } from '../calendar/calendar-workload.ts';
import { contactsWorkload } from '../contacts/contacts-workload.ts';
import { directoryWorkload } from '../directory/directory-workload.ts';
import { type JsonObject, type JsonValue, textOf } from '../values/json.ts';
import { exportWorkload } from '../mailbox-export/export-workload.ts';
import { reportsWorkload } from '../reports/reports-workload.ts';
import { createInProcess, type InProcess } from '../testing/in-process.ts';
import { todoWorkload } from '../todo/todo-workload.ts';
import { mailWorkload } from './mail-workload.ts';

const workloads = [directoryWorkload, mailWorkload, calendarWorkload, contactsWorkload, todoWorkload, exportWorkload, reportsWorkload];

/** What stands between braces in a path: ids that were read before. */
type Known = Readonly<Record<string, string>>;

/** Keys and types as Microsoft's reference pages show them for an entry of the answer. */
type Shape = Readonly<Record<string, 'string' | 'number' | 'boolean' | 'object' | 'list'>>;

const message: Shape = {
  id: 'string',
  createdDateTime: 'string',
  lastModifiedDateTime: 'string',
  changeKey: 'string',
  categories: 'list',
  receivedDateTime: 'string',
  sentDateTime: 'string',
  hasAttachments: 'boolean',
  internetMessageId: 'string',
  subject: 'string',
  bodyPreview: 'string',
  importance: 'string',
  parentFolderId: 'string',
  conversationId: 'string',
  conversationIndex: 'string',
  isRead: 'boolean',
  isDraft: 'boolean',
  webLink: 'string',
  inferenceClassification: 'string',
  body: 'object',
  sender: 'object',
  from: 'object',
  toRecipients: 'list',
  ccRecipients: 'list',
  bccRecipients: 'list',
  replyTo: 'list',
  flag: 'object',
};
const mailFolder: Shape = {
  id: 'string',
  displayName: 'string',
  parentFolderId: 'string',
  childFolderCount: 'number',
  unreadItemCount: 'number',
  totalItemCount: 'number',
  isHidden: 'boolean',
};
const event: Shape = {
  id: 'string',
  createdDateTime: 'string',
  lastModifiedDateTime: 'string',
  changeKey: 'string',
  categories: 'list',
  originalStartTimeZone: 'string',
  originalEndTimeZone: 'string',
  iCalUId: 'string',
  reminderMinutesBeforeStart: 'number',
  isReminderOn: 'boolean',
  hasAttachments: 'boolean',
  subject: 'string',
  bodyPreview: 'string',
  importance: 'string',
  sensitivity: 'string',
  isAllDay: 'boolean',
  isCancelled: 'boolean',
  isOrganizer: 'boolean',
  showAs: 'string',
  type: 'string',
  body: 'object',
  start: 'object',
  end: 'object',
  location: 'object',
  attendees: 'list',
  organizer: 'object',
  responseStatus: 'object',
};
const contact: Shape = {
  id: 'string',
  createdDateTime: 'string',
  lastModifiedDateTime: 'string',
  changeKey: 'string',
  categories: 'list',
  parentFolderId: 'string',
  fileAs: 'string',
  displayName: 'string',
  emailAddresses: 'list',
  businessPhones: 'list',
  homeAddress: 'object',
};
const task: Shape = {
  id: 'string',
  importance: 'string',
  isReminderOn: 'boolean',
  status: 'string',
  title: 'string',
  createdDateTime: 'string',
  lastModifiedDateTime: 'string',
  body: 'object',
  hasAttachments: 'boolean',
  categories: 'list',
};
const user: Shape = { id: 'string', displayName: 'string', userPrincipalName: 'string', mail: 'string', businessPhones: 'list' };

const rows: readonly (readonly [string, Shape])[] = [
  ['/organization', { id: 'string', displayName: 'string', verifiedDomains: 'list', createdDateTime: 'string' }],
  [
    '/subscribedSkus',
    {
      id: 'string',
      skuId: 'string',
      skuPartNumber: 'string',
      consumedUnits: 'number',
      prepaidUnits: 'object',
      servicePlans: 'list',
      capabilityStatus: 'string',
    },
  ],
  ['/users', user],
  ['/users/delta', user],
  ['/users/{user}', user],
  ['/users/{user}/licenseDetails', { id: 'string', skuId: 'string', skuPartNumber: 'string', servicePlans: 'list' }],
  [
    '/groups',
    {
      id: 'string',
      displayName: 'string',
      groupTypes: 'list',
      mailEnabled: 'boolean',
      securityEnabled: 'boolean',
      resourceProvisioningOptions: 'list',
    },
  ],
  ['/groups/delta', { id: 'string', displayName: 'string' }],
  ['/groups/{group}/members', { '@odata.type': 'string', id: 'string', displayName: 'string' }],
  ['/admin/reportSettings', { displayConcealedNames: 'boolean' }],
  ['/users/{user}/mailFolders', mailFolder],
  ['/users/{user}/mailFolders/delta', mailFolder],
  ['/users/{user}/mailFolders/inbox', mailFolder],
  ['/users/{user}/mailFolders/msgfolderroot/childFolders', mailFolder],
  ['/users/{user}/mailFolders/inbox/messages', message],
  ['/users/{user}/mailFolders/inbox/messages/delta', message],
  ['/users/{user}/messages/{message}', message],
  [
    '/users/{user}/mailboxSettings',
    {
      timeZone: 'string',
      language: 'object',
      automaticRepliesSetting: 'object',
      workingHours: 'object',
      dateFormat: 'string',
      userPurpose: 'string',
    },
  ],
  [
    '/users/{user}/mailFolders/inbox/messageRules',
    {
      id: 'string',
      displayName: 'string',
      sequence: 'number',
      isEnabled: 'boolean',
      hasError: 'boolean',
      isReadOnly: 'boolean',
      actions: 'object',
    },
  ],
  ['/users/{user}/outlook/masterCategories', { id: 'string', displayName: 'string', color: 'string' }],
  ['/users/{user}/settings/exchange', { id: 'string', primaryMailboxId: 'string' }],
  [
    '/admin/exchange/mailboxes/{mailbox}/folders',
    { id: 'string', displayName: 'string', parentFolderId: 'string', childFolderCount: 'number', totalItemCount: 'number', type: 'string' },
  ],
  [
    '/admin/exchange/mailboxes/{mailbox}/folders/{inbox}/items',
    { id: 'string', type: 'string', size: 'number', changeKey: 'string', createdDateTime: 'string', lastModifiedDateTime: 'string' },
  ],
  [
    '/users/{user}/calendars',
    {
      id: 'string',
      name: 'string',
      color: 'string',
      isDefaultCalendar: 'boolean',
      changeKey: 'string',
      canEdit: 'boolean',
      owner: 'object',
    },
  ],
  ['/users/{user}/calendars/{calendar}/events', event],
  ['/users/{user}/calendars/{calendar}/calendarView/delta?startDateTime=2024-01-01&endDateTime=2028-01-01', event],
  ['/users/{user}/events/{event}', event],
  ['/users/{user}/contactFolders', { id: 'string', parentFolderId: 'string', displayName: 'string' }],
  ['/users/{user}/contacts', contact],
  ['/users/{user}/contacts/{contact}', contact],
  ['/users/{user}/contactFolders/{contactFolder}/contacts/delta', contact],
  [
    '/users/{user}/todo/lists',
    { id: 'string', displayName: 'string', isOwner: 'boolean', isShared: 'boolean', wellknownListName: 'string' },
  ],
  ['/users/{user}/todo/lists/{list}/tasks', task],
  ['/users/{user}/todo/lists/{list}/tasks/delta', task],
];

function kindOf(value: JsonValue | undefined): string {
  return Array.isArray(value) ? 'list' : typeof value;
}

async function firstOf(graph: InProcess, path: string): Promise<JsonObject> {
  const { status, json } = await graph.get(path);
  if (status !== 200) throw new Error(`${path} answered ${status}`);
  const { value } = json;
  return Array.isArray(value) ? ((value as readonly JsonObject[])[0] ?? {}) : json;
}

async function learn(graph: InProcess): Promise<Known> {
  const id = async (path: string, name = 'id'): Promise<string> => textOf((await firstOf(graph, path))[name]);
  const owner = graph.tenant.directory.users()[0]?.id ?? '';
  return {
    user: owner,
    group: await id('/groups'),
    message: await id(`/users/${owner}/mailFolders/inbox/messages`),
    inbox: await id(`/users/${owner}/mailFolders/inbox`),
    mailbox: await id(`/users/${owner}/settings/exchange`, 'primaryMailboxId'),
    calendar: await id(`/users/${owner}/calendars`),
    event: await id(`/users/${owner}/calendars/${await id(`/users/${owner}/calendars`)}/events`),
    contact: await id(`/users/${owner}/contacts`),
    contactFolder: await id(`/users/${owner}/contacts`, 'parentFolderId'),
    list: await id(`/users/${owner}/todo/lists`),
  };
}

const graph = createInProcess({ workloads });
const known = await learn(graph);

describe('answers have the keys and types of the reference', () => {
  it.each(rows)('GET %s', async (path, shape) => {
    const entry = await firstOf(
      graph,
      path.replaceAll(/\{(\w+)\}/gu, (_all, name: string) => known[name] ?? ''),
    );
    expect(Object.fromEntries(Object.keys(shape).map((name) => [name, kindOf(entry[name])]))).toEqual(shape);
    graph.requireValid();
  });

  it.each(['getMailboxUsageDetail', 'getOneDriveUsageAccountDetail', 'getSharePointSiteUsageDetail', 'getTeamsTeamActivityDetail'])(
    'GET /reports/%s leads to a file of CSV',
    async (name) => {
      const graph = createInProcess({ workloads });
      const answer = await graph.get(`/reports/${name}(period='D7')`);
      expect(answer.status).toBe(302);
      const file = await graph.get(answer.headers['Location'] ?? '');
      expect(file.bytes.toString()).toMatch(/^\uFEFFReport Refresh Date,.*,Report Period\r\n/u);
      expect((await graph.get(`/reports/${name}(period='D8')`)).status).toBe(400);
    },
  );
});
