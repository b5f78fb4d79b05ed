/** What a tenant is made of. Together with a seed it says everything that is in it. */
export interface Recipe {
  readonly name: string;
  readonly displayName: string;
  /** First label of the domains: `contoso` gives contoso.com, contoso.onmicrosoft.com, contoso.sharepoint.com. */
  readonly label: string;
  readonly people: PeopleRecipe;
  readonly mail: MailRecipe;
  /** Per mailbox. */
  readonly eventsPerUser: number;
  readonly contactsPerUser: number;
  readonly tasksPerUser: number;
  readonly drives: DriveRecipe;
  readonly sites: readonly SiteRecipe[];
  readonly teams: readonly TeamRecipe[];
  readonly chats: ChatRecipe;
  /** One of each thing that goes wrong: no mailbox, no OneDrive, closed mailbox, malware, OneNote, corrupt message. */
  readonly hasOddities: boolean;
}

export interface PeopleRecipe {
  readonly members: number;
  readonly guests: number;
  readonly sharedMailboxes: number;
  readonly rooms: number;
  /** Share of people who write German, 0 to 1. */
  readonly germanShare: number;
}

export interface MailRecipe {
  /** Of a typical mailbox; sizes vary around it unless `isUniform`. */
  readonly messagesPerUser: number;
  readonly isUniform: boolean;
  /** All mailboxes together have exactly this many, when given. */
  readonly total?: number;
  /** The largest mailbox, when it stands out. */
  readonly largest?: number;
  readonly years: number;
}

export interface DriveRecipe {
  readonly filesPerUser: number;
  readonly medianBytes: number;
  /** No file is larger than this. */
  readonly largestBytes: number;
  readonly foldersPerUser: number;
}

export interface SiteRecipe {
  /** Path below `/sites/`. */
  readonly path: string;
  readonly displayName: string;
  readonly files: number;
  readonly lists: number;
  readonly itemsPerList: number;
  readonly pages: number;
  readonly subsites?: readonly SiteRecipe[];
}

export interface ChannelRecipe {
  readonly displayName: string;
  readonly membershipType: 'standard' | 'private' | 'shared';
  readonly messages: number;
}

export interface TeamRecipe {
  readonly displayName: string;
  readonly members: number;
  /** The first one is the general channel. */
  readonly channels: readonly ChannelRecipe[];
  readonly files: number;
  /** Everybody who owned it has left: the directory no longer knows them. */
  readonly isOwnerless?: boolean;
  /** Guests of the tenant who are members. */
  readonly guests?: number;
}

export interface ChatRecipe {
  readonly oneOnOne: number;
  readonly group: number;
  readonly messagesPerChat: number;
}
