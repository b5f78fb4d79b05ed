import { collect, once } from '@holdfast/foundation/streams';
import type { GraphClient } from '../src/graph-client.ts';

const USER = { userId: 'u' };
const FOLDER = { ...USER, folderId: 'f' };
const MESSAGE = { ...USER, messageId: 'm' };
const EVENT = { ...USER, eventId: 'e' };
const CALENDAR = { ...USER, calendarId: 'c' };
const CONTACT = { ...USER, contactId: 'c' };
const TASK = { ...USER, listId: 'l', taskId: 't' };
const MAILBOX = { userId: 'u', mailboxId: 'b' };
const ITEM = { driveId: 'd', itemId: 'i' };
const SITE = { siteId: 's' };
const LIST = { ...SITE, listId: 'l' };
const LIST_ITEM = { ...LIST, itemId: '1' };
const PAGE = { ...SITE, pageId: 'p' };
const TEAM = { teamId: 't' };
const CHANNEL = { ...TEAM, channelId: 'c' };
const CHANNEL_MESSAGE = { ...CHANNEL, messageId: 'm' };
const CHAT = { chatId: 'x' };
const PHOTO = { bytes: Buffer.from('p'), contentType: 'image/jpeg' };
const WINDOW = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };

const bytesOf = (text: string) => ({ sizeBytes: text.length, open: (offset: number) => once(Buffer.from(text.slice(offset))) });
const large = { sizeBytes: 5 * 1024 * 1024, open: (offset: number) => once(Buffer.alloc(5 * 1024 * 1024 - offset)) };

async function all(values: AsyncIterable<unknown>): Promise<void> {
  const iterator = values[Symbol.asyncIterator]();
  while (!(await iterator.next()).done);
}
const whole = (content: { readonly bytes: AsyncIterable<Uint8Array> }): Promise<unknown> => collect(content.bytes, 1024 * 1024);

async function directory({ directory, reports }: GraphClient): Promise<void> {
  await directory.organization();
  await directory.subscribedSkus();
  await all(directory.users());
  await all(directory.deletedUsers());
  await all(directory.userDelta());
  await directory.user(USER);
  await directory.licenseDetails(USER);
  await directory.photo(USER);
  await directory.setPhoto(USER, PHOTO);
  await all(directory.groups({ teamsOnly: true }));
  await all(directory.groupDelta());
  await all(directory.groupMembers({ groupId: 'g' }));
  await all(directory.groupOwners({ groupId: 'g' }));
  for (const report of ['mailbox', 'oneDrive', 'sharePoint', 'teams'] as const) await reports.usage(report, 'D7');
  await reports.namesAreConcealed();
}

async function mail({ exchange: { mail, settings, export: mailboxExport } }: GraphClient): Promise<void> {
  await all(mail.folders(USER));
  await all(mail.folders(USER, { folderId: 'f' }));
  await all(mail.folderDelta(USER));
  await mail.folder(FOLDER);
  await mail.createFolder(USER, { displayName: 'a' });
  await mail.createFolder(FOLDER, { displayName: 'a' });
  await mail.createFolders(USER, [{ displayName: 'a' }]);
  await mail.updateFolder(FOLDER, { displayName: 'b' });
  await mail.deleteFolder(FOLDER);
  await mail.permanentlyDeleteFolder(FOLDER);
  await all(mail.messageDelta(FOLDER));
  await all(mail.messages(FOLDER, { internetMessageId: "<it's@x>" }));
  await mail.message(MESSAGE);
  await whole(mail.mime(MESSAGE));
  await mail.createMessage(FOLDER, { subject: 's' });
  await mail.createDraftFromMime(FOLDER, Buffer.from('Subject: s'));
  await mail.importMime(FOLDER, Buffer.from('Subject: s'));
  await mail.updateMessage(MESSAGE, { isRead: true }, { ifMatch: 'W/"1"' });
  await mail.deleteMessage(MESSAGE);
  await mail.permanentlyDeleteMessage(MESSAGE);
  await all(mail.attachments(MESSAGE));
  await whole(mail.attachmentContent({ ...MESSAGE, attachmentId: 'a' }));
  await mail.addAttachment(MESSAGE, { name: 'a' });
  await mail.uploadAttachment(MESSAGE, { name: 'a' }, bytesOf('content'));
  await settings.settings(USER);
  await settings.updateSettings(USER, {});
  await all(settings.rules(USER));
  await settings.createRule(USER, {});
  await all(settings.categories(USER));
  await settings.createCategory(USER, { displayName: 'c', color: 'preset0' });
  await mailboxExport.mailboxId(USER);
  await all(mailboxExport.folders(MAILBOX));
  await all(mailboxExport.items(MAILBOX, 'f'));
  await all(mailboxExport.exportItems(MAILBOX, ['i']));
  const importer = mailboxExport.importer(MAILBOX);
  await importer.create('f', Buffer.from('d'));
  await importer.update({ folderId: 'f', itemId: 'i', changeKey: 'k' }, Buffer.from('d'));
}

async function calendars({ exchange: { calendar, contacts, todo } }: GraphClient): Promise<void> {
  await all(calendar.calendars(USER));
  await calendar.createCalendar(USER, { name: 'c' });
  await calendar.permanentlyDeleteCalendar(CALENDAR);
  await all(calendar.events(CALENDAR));
  await all(calendar.viewDelta(CALENDAR, WINDOW));
  await calendar.event(EVENT);
  await all(calendar.instances(EVENT, WINDOW));
  await calendar.createEvent(CALENDAR, { subject: 's' });
  await calendar.updateEvent(EVENT, { subject: 's' });
  await calendar.deleteEvent(EVENT);
  await all(calendar.eventAttachments(EVENT));
  await whole(calendar.eventAttachmentContent({ ...EVENT, attachmentId: 'a' }));
  await calendar.addEventAttachment(EVENT, { name: 'a' });
  await calendar.uploadEventAttachment(EVENT, { name: 'a' }, bytesOf('content'));
  await all(contacts.contactFolders(USER));
  await all(contacts.contactFolders(USER, { folderId: 'f' }));
  await contacts.defaultContactFolderId(USER);
  await contacts.createContactFolder(USER, { displayName: 'f' });
  await contacts.createContactFolder(FOLDER, { displayName: 'f' });
  await all(contacts.contacts(FOLDER));
  await all(contacts.contactDelta(FOLDER));
  await contacts.contact(CONTACT);
  await contacts.createContact(FOLDER, {});
  await contacts.updateContact(CONTACT, {});
  await contacts.deleteContact(CONTACT);
  await contacts.permanentlyDeleteContactFolder(FOLDER);
  await contacts.contactPhoto(CONTACT);
  await contacts.setContactPhoto(CONTACT, PHOTO);
  await all(todo.lists(USER));
  await todo.createList(USER, { displayName: 'l' });
  await all(todo.tasks(TASK));
  await all(todo.taskDelta(TASK));
  await todo.createTask(TASK, {});
  await todo.task(TASK);
  await todo.deleteTask(TASK);
  await todo.deleteList(TASK);
  await all(todo.taskAttachments(TASK));
  await whole(todo.taskAttachmentContent({ ...TASK, attachmentId: 'a' }));
  await todo.addTaskAttachment(TASK, {});
  await todo.uploadTaskAttachment(TASK, { name: 'a' }, bytesOf('content'));
  await todo.addChecklistItem(TASK, {});
  await todo.addLinkedResource(TASK, {});
}

async function drives({ drives }: GraphClient): Promise<void> {
  await drives.userDrive(USER);
  await all(drives.groupDrives({ groupId: 'g' }));
  await all(drives.siteDrives(SITE));
  await drives.drive(ITEM);
  await drives.root(ITEM);
  await all(drives.delta(ITEM));
  await drives.item(ITEM);
  await drives.itemByPath({ driveId: 'd' }, '/a/b.txt');
  await drives.itemByPath(ITEM, 'b.txt');
  await all(drives.children(ITEM));
  await drives.createFolder(ITEM, { name: 'f', conflict: 'fail' });
  await drives.updateItem(ITEM, { name: 'n' });
  await drives.deleteItem(ITEM);
  await drives.permanentlyDeleteItem(ITEM);
  await whole(drives.content(ITEM));
  await all(drives.versions(ITEM));
  await whole(drives.versionContent({ ...ITEM, versionId: '1.0' }));
  const child = { parentId: 'p', name: 'n.bin' };
  await drives.upload(ITEM, { target: child, conflict: 'fail' }, bytesOf('small'));
  await drives.upload(ITEM, { target: { itemId: 'i' }, conflict: 'replace' }, bytesOf('small'));
  const session = { uploadUrl: 'https://contoso.sharepoint.com/upload', expiresAt: '', nextOffsetBytes: 0 };
  await drives.upload(ITEM, { target: child, conflict: 'fail', resume: session }, large);
  await drives.upload(ITEM, { target: child, conflict: 'fail' }, large);
  await drives.upload(ITEM, { target: { itemId: 'i' }, conflict: 'replace' }, large);
  await drives.cancelUpload(ITEM, session);
  await all(drives.permissions(ITEM));
  await drives.invite(ITEM, { recipients: [{ email: 'a@x' }], roles: ['read'] });
  await drives.createLink(ITEM, { type: 'view', scope: 'organization' });
}

async function sites({ sites }: GraphClient): Promise<void> {
  await all(sites.allSites());
  await all(sites.siteDelta());
  await all(sites.search('x'));
  await sites.site(SITE);
  await sites.siteByPath('contoso.sharepoint.com', 'sites/x');
  await all(sites.subsites(SITE));
  await all(sites.lists(SITE));
  await sites.list(LIST);
  await sites.createList(SITE, {});
  await all(sites.columns(LIST));
  await sites.createColumn(LIST, {});
  await all(sites.siteColumns(SITE));
  await all(sites.siteContentTypes(SITE));
  await sites.createSiteContentType(SITE, {});
  await all(sites.listContentTypes(LIST));
  await sites.addContentTypeCopy(LIST, 'c');
  await sites.addContentTypeColumn(SITE, 'c', 'column');
  await all(sites.items(LIST));
  await all(sites.itemDelta(LIST));
  await sites.item(LIST_ITEM);
  await sites.createItem(LIST, { fields: {} });
  await sites.deleteItem(LIST_ITEM);
  await sites.deleteList(LIST_ITEM);
  await sites.updateFields(LIST_ITEM, {});
  await all(sites.itemVersions(LIST_ITEM));
  await all(sites.pages(SITE));
  await sites.page(PAGE);
  await sites.createPage(SITE, {});
  await sites.updatePage(PAGE, {});
  await sites.publishPage(PAGE);
  await sites.deletePage(PAGE);
}

async function teams({ teams, chats }: GraphClient): Promise<void> {
  await teams.team(TEAM);
  const operation = await teams.createTeam({});
  await teams.operation(operation);
  await teams.waitFor(operation);
  await teams.updateTeam(TEAM, {});
  await all(teams.members(TEAM));
  await teams.addMembers(TEAM, [{}]);
  await all(teams.apps(TEAM));
  await teams.installApp(TEAM, {});
  await all(teams.channels(TEAM));
  await all(teams.allChannels(TEAM));
  await teams.channel(CHANNEL);
  await teams.createChannel(TEAM, {});
  await teams.updateChannel(CHANNEL, {});
  await teams.deleteChannel(CHANNEL);
  await teams.filesFolder(CHANNEL);
  await all(teams.channelMembers(CHANNEL));
  await teams.addChannelMember(CHANNEL, {});
  await all(teams.tabs(CHANNEL));
  await teams.createTab(CHANNEL, {});
  await all(teams.messages(CHANNEL));
  await all(teams.messageDelta(CHANNEL));
  await teams.message(CHANNEL_MESSAGE);
  await all(teams.replies(CHANNEL_MESSAGE));
  await all(teams.allMessages(TEAM, { after: WINDOW.from, before: WINDOW.to }));
  await whole(teams.hostedContent(CHANNEL_MESSAGE, 'h'));
  await whole(teams.hostedContent({ ...CHANNEL_MESSAGE, replyId: 'r' }, 'h'));
  await teams.startMigration(CHANNEL, WINDOW.from);
  await teams.importMessage(CHANNEL, {});
  await teams.importReply(CHANNEL_MESSAGE, {});
  await teams.completeMigration(CHANNEL);
  await teams.completeTeamMigration(TEAM);
  await all(chats.chats(USER));
  await all(chats.allMessages(USER));
  await all(chats.members(CHAT));
  await all(chats.messages(CHAT, { after: WINDOW.from }));
  await whole(chats.hostedContent({ ...CHAT, messageId: 'm' }, 'h'));
  await chats.createChat({});
  await chats.startMigration(CHAT);
  await chats.importMessage(CHAT, {});
  await chats.completeMigration(CHAT);
}

/** Makes every call of a client once. */
export async function makeEveryCall(client: GraphClient): Promise<void> {
  for (const part of [directory, mail, calendars, drives, sites, teams]) await part(client);
}
