import { createGraphServiceClient } from '@microsoft/msgraph-sdk';
// oxlint-disable-next-line import/no-unassigned-import -- the package adds its paths by side effect
import '@microsoft/msgraph-sdk-users';
import { tell } from './setting.ts';
import { createAdapter, refusalOf } from './typed-adapter.ts';

const graph = createGraphServiceClient(createAdapter());
const page = await graph.users.get({ queryParameters: { select: ['id', 'displayName', 'mail', 'userType'], top: 999 } });
const person = page?.value?.find((entry) => entry.mail && entry.userType === 'Member');
const id = person?.id ?? '';
const user = graph.users.byUserId(id);
const delta = await graph.users.delta.get({ queryParameters: { select: ['id', 'displayName'] } });
const counted = await graph.users.count.get({ headers: { ConsistencyLevel: 'eventual' } });
const unknown = await refusalOf(() => graph.users.get({ queryParameters: { select: ['nonsense'] } }));
const unsorted = await refusalOf(() => graph.users.get({ queryParameters: { filter: "displayName ne 'a'" } }));

const folders = await user.mailFolders.get({ queryParameters: { top: 50, includeHiddenFolders: 'true' } });
const inbox = user.mailFolders.byMailFolderId('inbox');
const messages = await inbox.messages.get({ queryParameters: { select: ['id', 'subject', 'receivedDateTime'], top: 2 } });
const mail = user.messages.byMessageId(messages?.value?.[0]?.id ?? '');
const whole = await mail.get({ queryParameters: { expand: ['attachments'] } });
const mime = await mail.content.get();
const mailDelta = await inbox.messages.delta.get({ queryParameters: { select: ['id', 'isRead'] } });
const made = await inbox.messages.post({
  subject: 'from the typed client',
  importance: 'high',
  body: { contentType: 'text', content: 'x' },
});
const changed = await user.messages.byMessageId(made?.id ?? '').patch({ isRead: true, categories: ['red'] });
await user.messages.byMessageId(made?.id ?? '').delete();
const settings = await user.mailboxSettings.get();
const rules = await inbox.messageRules.get();
const categories = await user.outlook.masterCategories.get();

const calendars = await user.calendars.get();
const calendar = user.calendars.byCalendarId(calendars?.value?.[0]?.id ?? '');
const event = await calendar.events.post({
  subject: 'typed',
  start: { dateTime: '2026-05-04T09:00:00', timeZone: 'UTC' },
  end: { dateTime: '2026-05-04T10:00:00', timeZone: 'UTC' },
});
const events = await calendar.events.get({ queryParameters: { select: ['id', 'subject', 'start'], filter: "subject eq 'typed'" } });
const kept = await user.events.byEventId(event?.id ?? '').get();
await user.events.byEventId(event?.id ?? '').delete();

const contact = await user.contacts.get({ queryParameters: { top: 1, select: ['id', 'parentFolderId'] } });
const contactFolder = await user.contactFolders.post({ displayName: 'typed' });
const newContact = await user.contactFolders
  .byContactFolderId(contactFolder?.id ?? '')
  .contacts.post({ displayName: 'Ann Typed', givenName: 'Ann', surname: 'Typed' });

const list = await user.todo.lists.post({ displayName: 'typed' });
const tasks = user.todo.lists.byTodoTaskListId(list?.id ?? '').tasks;
const task = await tasks.post({ title: 'typed', importance: 'low' });
await tasks.byTodoTaskId(task?.id ?? '').checklistItems.post({ displayName: 'first' });
const opened = (await tasks.get({ queryParameters: { expand: ['checklistItems'] } }))?.value?.find((entry) => entry.id === task?.id);

const drive = await user.drive.get();
const licences = await user.licenseDetails.get();
const missing = await refusalOf(() => user.messages.byMessageId('nonsense').get());

tell({
  users: page?.value?.length,
  counted,
  hasDelta: delta?.value?.length === page?.value?.length,
  unknown,
  unsorted,
  folders: (folders?.value?.length ?? 0) > 3,
  messages: messages?.value?.length,
  isDated: messages?.value?.[0]?.receivedDateTime instanceof Date,
  whole: whole?.subject === messages?.value?.[0]?.subject,
  mime: (mime?.byteLength ?? 0) > 100,
  mailDelta: (mailDelta?.value?.length ?? 0) > 0,
  made: [made?.importance, made?.isDraft, changed?.isRead, changed?.categories],
  settings: typeof settings?.timeZone,
  rules: Array.isArray(rules?.value),
  categories: Array.isArray(categories?.value),
  event: [kept?.subject, kept?.start?.dateTime, events?.value?.some((entry) => entry.id === event?.id)],
  contact: [typeof contact?.value?.[0]?.parentFolderId, newContact?.displayName, newContact?.parentFolderId === contactFolder?.id],
  task: [opened?.title, opened?.importance, opened?.checklistItems?.[0]?.displayName],
  drive: drive?.driveType,
  licences: licences?.value?.length,
  missing,
});
