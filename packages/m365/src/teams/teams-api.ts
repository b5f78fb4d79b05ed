import type {
  Channel,
  Chat,
  ChatMessage,
  ConversationMember,
  DriveItem,
  Team,
  TeamsAppInstallation,
  TeamsAsyncOperation,
  TeamsTab,
} from '@microsoft/microsoft-graph-types';
import type { Body, Content, CreateOptions, Known } from '../client/calls.ts';
import type { Delta, DeltaCursor, Listing } from '../client/paging/paging-types.ts';
import type { UserRef } from '../directory/directory-api.ts';

export interface TeamRef {
  readonly teamId: string;
}
export interface ChannelRef extends TeamRef {
  readonly channelId: string;
}
export interface ChannelMessageRef extends ChannelRef {
  readonly messageId: string;
}
export interface ChannelReplyRef extends ChannelMessageRef {
  /** Set for a reply, absent for the root message. */
  readonly replyId?: string;
}
export interface ChatRef {
  readonly chatId: string;
}
export interface ChatMessageRef extends ChatRef {
  readonly messageId: string;
}

/** Half-open range over `lastModifiedDateTime`, ISO 8601 in UTC. */
export interface ModifiedRange {
  readonly after?: string;
  readonly before?: string;
}

/** The result for one member of `addMembers`. */
export interface MemberResult {
  readonly userId?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

/** A team being created, or another operation that takes time. */
export interface OperationRef extends TeamRef {
  readonly operationId: string;
}

export interface TeamCalls {
  /** `undefined` for a group that is no team. */
  team(team: TeamRef): Promise<Known<Team> | undefined>;
  /** Starts a creation; `waitFor` ends when it has succeeded. */
  createTeam(team: Body, options?: CreateOptions<OperationRef>): Promise<OperationRef>;
  operation(operation: OperationRef): Promise<Known<TeamsAsyncOperation>>;
  /** Polls every 10 s, also while the operation is not found yet. Fails with `graph.service-fault` when it failed. */
  waitFor(operation: OperationRef): Promise<void>;
  updateTeam(team: TeamRef, change: Body): Promise<void>;
  members(team: TeamRef): Listing<Known<ConversationMember>>;
  /** Any number, sent in groups; one result for each member. */
  addMembers(team: TeamRef, members: readonly Body[]): Promise<readonly MemberResult[]>;
  apps(team: TeamRef): Listing<Known<TeamsAppInstallation>>;
  installApp(team: TeamRef, app: Body): Promise<void>;
  channels(team: TeamRef): Listing<Known<Channel>>;
  /** Shared channels hosted by other teams included. */
  allChannels(team: TeamRef): Listing<Known<Channel>>;
  /** With `migrationMode`. */
  channel(channel: ChannelRef): Promise<Known<Channel>>;
  createChannel(team: TeamRef, channel: Body, options?: CreateOptions<Known<Channel>>): Promise<Known<Channel>>;
  updateChannel(channel: ChannelRef, change: Body): Promise<void>;
  /** Owners of the team can bring it back for 30 days. Its folder of files stays. */
  deleteChannel(channel: ChannelRef): Promise<void>;
  filesFolder(channel: ChannelRef): Promise<Known<DriveItem>>;
  channelMembers(channel: ChannelRef): Listing<Known<ConversationMember>>;
  addChannelMember(
    channel: ChannelRef,
    member: Body,
    options?: CreateOptions<Known<ConversationMember>>,
  ): Promise<Known<ConversationMember>>;
  tabs(channel: ChannelRef): Listing<Known<TeamsTab>>;
  createTab(channel: ChannelRef, tab: Body, options?: CreateOptions<Known<TeamsTab>>): Promise<Known<TeamsTab>>;
  /** Root messages, newest first, each with its replies. */
  messages(channel: ChannelRef): Listing<Known<ChatMessage>>;
  /** Roots with replies; reaches back eight months. */
  messageDelta(channel: ChannelRef, cursor?: DeltaCursor): Delta<Known<ChatMessage>>;
  message(message: ChannelMessageRef): Promise<Known<ChatMessage>>;
  replies(message: ChannelMessageRef): Listing<Known<ChatMessage>>;
  /** Every message and reply of all channels, for a first backup. */
  allMessages(team: TeamRef, range?: ModifiedRange): Listing<Known<ChatMessage>>;
  hostedContent(message: ChannelReplyRef, hostedContentId: string): Content;
  /** Begins the import of messages with their own author and time. Being in migration already is no error. */
  startMigration(channel: ChannelRef, conversationCreationDateTime?: string): Promise<void>;
  /** A time that is taken fails with `graph.name-taken`: add one millisecond. */
  importMessage(channel: ChannelRef, message: Body, options?: CreateOptions<Known<ChatMessage>>): Promise<Known<ChatMessage>>;
  importReply(message: ChannelMessageRef, reply: Body, options?: CreateOptions<Known<ChatMessage>>): Promise<Known<ChatMessage>>;
  completeMigration(channel: ChannelRef): Promise<void>;
  /** For a team that was created in migration mode. */
  completeTeamMigration(team: TeamRef): Promise<void>;
}

export interface ChatCalls {
  /** With members. A chat appears under each of them: store it once. */
  chats(user: UserRef): Listing<Known<Chat>>;
  /** Messages of all chats of a user. */
  allMessages(user: UserRef, range?: ModifiedRange): Listing<Known<ChatMessage>>;
  members(chat: ChatRef): Listing<Known<ConversationMember>>;
  messages(chat: ChatRef, range?: ModifiedRange): Listing<Known<ChatMessage>>;
  hostedContent(message: ChatMessageRef, hostedContentId: string): Content;
  createChat(chat: Body, options?: CreateOptions<Known<Chat>>): Promise<Known<Chat>>;
  startMigration(chat: ChatRef, conversationCreationDateTime?: string): Promise<void>;
  importMessage(chat: ChatRef, message: Body, options?: CreateOptions<Known<ChatMessage>>): Promise<Known<ChatMessage>>;
  completeMigration(chat: ChatRef): Promise<void>;
}
