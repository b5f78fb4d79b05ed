import type {
  Attachment,
  Calendar,
  ChecklistItem,
  Contact,
  ContactFolder,
  Event,
  LinkedResource,
  TodoTask,
  TodoTaskList,
} from '@microsoft/microsoft-graph-types';
import type { Body, Content, CreateOptions, Known, UploadSource } from '../client/calls.ts';
import type { Delta, DeltaCursor, Listing } from '../client/paging/paging-types.ts';
import type { UserRef } from '../directory/directory-api.ts';
import type { AttachmentDescription } from './mail-api.ts';

export interface CalendarRef extends UserRef {
  readonly calendarId: string;
}
export interface EventRef extends UserRef {
  readonly eventId: string;
}
export interface TimeRange {
  /** ISO 8601, UTC. */
  readonly from: string;
  readonly to: string;
}

/** An event as the list of a calendar has it. */
export type ListedEvent = Pick<Event, 'changeKey' | 'lastModifiedDateTime' | 'type' | 'iCalUId' | 'subject' | 'start' | 'end'>;

export interface CalendarCalls {
  calendars(user: UserRef): Listing<Known<Calendar>>;
  createCalendar(user: UserRef, calendar: Body): Promise<Known<Calendar>>;
  /** With all that is in it, past the recycle bin; for one with meetings the service notifies those who were invited. */
  permanentlyDeleteCalendar(calendar: CalendarRef): Promise<void>;
  /** Single events and series masters with `changeKey`: compare it, read what changed. Named ones come with subject and times in UTC. */
  events(calendar: CalendarRef, options?: { readonly isNamed?: boolean }): Listing<Known<ListedEvent>>;
  /** Says only that something in the window changed. `removed` may mean "outside the window", never surely "deleted". */
  viewDelta(calendar: CalendarRef, window: TimeRange, cursor?: DeltaCursor): Delta<Known<Event>>;
  /** A master comes with its exceptions and cancelled occurrences. */
  event(event: EventRef): Promise<Known<Event>>;
  instances(event: EventRef, range: TimeRange): Listing<Known<Event>>;
  /** Refuses a body with `attendees` (it would send invitations) or with `isOnlineMeeting`: `graph.bad-request`, nothing sent. */
  createEvent(calendar: CalendarRef, event: Body, options?: CreateOptions<Known<Event>>): Promise<Known<Event>>;
  /** As `createEvent`. */
  updateEvent(event: EventRef, change: Body): Promise<Known<Event>>;
  /** Reads the event first and refuses one with attendees, because deleting it would send cancellations. */
  deleteEvent(event: EventRef): Promise<void>;
  /** Files with their content, items and links without. */
  eventAttachments(event: EventRef): Listing<Known<Attachment>>;
  /** Of a file or an item; a link has none. */
  eventAttachmentContent(attachment: EventRef & { readonly attachmentId: string }): Content;
  addEventAttachment(event: EventRef, attachment: Body, options?: CreateOptions<Known<Attachment>>): Promise<Known<Attachment>>;
  uploadEventAttachment(
    event: EventRef,
    attachment: AttachmentDescription,
    source: UploadSource,
  ): Promise<{ readonly attachmentId?: string }>;
}

export interface ContactFolderRef extends UserRef {
  readonly folderId: string;
}
export interface ContactRef extends UserRef {
  readonly contactId: string;
}

export interface ContactCalls {
  /** Folders at the top (the default folder is not among them) or below `parent`. */
  contactFolders(user: UserRef, parent?: { readonly folderId: string }): Listing<Known<ContactFolder>>;
  /** `undefined` while the default folder is empty, because nothing names it then. */
  defaultContactFolderId(user: UserRef): Promise<string | undefined>;
  createContactFolder(
    parent: UserRef & { readonly folderId?: string },
    folder: { readonly displayName: string },
  ): Promise<Known<ContactFolder>>;
  contacts(folder: ContactFolderRef): Listing<Known<Contact>>;
  contactDelta(folder: ContactFolderRef, cursor?: DeltaCursor): Delta<Known<Contact>>;
  contact(contact: ContactRef): Promise<Known<Contact>>;
  createContact(folder: ContactFolderRef, contact: Body, options?: CreateOptions<Known<Contact>>): Promise<Known<Contact>>;
  updateContact(contact: ContactRef, change: Body): Promise<Known<Contact>>;
  deleteContact(contact: ContactRef): Promise<void>;
  /** With all that is in it, past the recycle bin. */
  permanentlyDeleteContactFolder(folder: ContactFolderRef): Promise<void>;
  contactPhoto(contact: ContactRef): Promise<Uint8Array | undefined>;
  setContactPhoto(contact: ContactRef, photo: { readonly bytes: Uint8Array; readonly contentType: string }): Promise<void>;
}

export interface TodoListRef extends UserRef {
  readonly listId: string;
}
export interface TodoTaskRef extends TodoListRef {
  readonly taskId: string;
}

export interface TodoCalls {
  lists(user: UserRef): Listing<Known<TodoTaskList>>;
  createList(
    user: UserRef,
    list: { readonly displayName: string },
    options?: CreateOptions<Known<TodoTaskList>>,
  ): Promise<Known<TodoTaskList>>;
  /** With checklist items and linked resources. */
  tasks(list: TodoListRef): Listing<Known<TodoTask>>;
  /** With checklist items and linked resources. */
  task(task: TodoTaskRef): Promise<Known<TodoTask>>;
  taskDelta(list: TodoListRef, cursor?: DeltaCursor): Delta<Known<TodoTask>>;
  createTask(list: TodoListRef, task: Body, options?: CreateOptions<Known<TodoTask>>): Promise<Known<TodoTask>>;
  /** One that is gone already is no fault. */
  deleteTask(task: TodoTaskRef): Promise<void>;
  /** With its tasks. */
  deleteList(list: TodoListRef): Promise<void>;
  /** Without their content, which the list leaves out. */
  taskAttachments(task: TodoTaskRef): Listing<Known<Body>>;
  taskAttachmentContent(attachment: TodoTaskRef & { readonly attachmentId: string }): Content;
  /** A file of less than 3 MB. */
  addTaskAttachment(task: TodoTaskRef, attachment: Body, options?: CreateOptions<Known<Body>>): Promise<Known<Body>>;
  /** A file of up to 25 MB, in parts. */
  uploadTaskAttachment(
    task: TodoTaskRef,
    attachment: Pick<AttachmentDescription, 'name' | 'contentType'>,
    source: UploadSource,
  ): Promise<void>;
  addChecklistItem(task: TodoTaskRef, item: Body, options?: CreateOptions<Known<ChecklistItem>>): Promise<Known<ChecklistItem>>;
  addLinkedResource(task: TodoTaskRef, resource: Body, options?: CreateOptions<Known<LinkedResource>>): Promise<Known<LinkedResource>>;
}
