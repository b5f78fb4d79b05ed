import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import {
  ArchiveRegular,
  CalendarRegular,
  ChatRegular,
  CodeRegular,
  ContactCardRegular,
  DeleteRegular,
  DocumentPdfRegular,
  DocumentRegular,
  DocumentTextRegular,
  DraftsRegular,
  FolderRegular,
  FolderZipRegular,
  GlobeRegular,
  ImageRegular,
  LibraryRegular,
  MailInboxRegular,
  MailProhibitedRegular,
  MailRegular,
  MusicNote2Regular,
  PeopleTeamRegular,
  SendRegular,
  SettingsRegular,
  SlideTextRegular,
  TableRegular,
  TaskListSquareLtrRegular,
  VideoRegular,
} from '@fluentui/react-icons';
import type { FluentIcon } from '@fluentui/react-icons';
import type { Node } from '@holdfast/contract/discovery';
import type { ReactElement } from 'react';

const useStyles = makeStyles({
  icon: { flexShrink: 0, fontSize: '20px' },
  folder: { color: tokens.colorPaletteMarigoldForeground2 },
  blue: { color: tokens.colorBrandForeground1 },
  green: { color: tokens.colorPaletteGreenForeground2 },
  red: { color: tokens.colorPaletteRedForeground2 },
  purple: { color: tokens.colorPaletteGrapeForeground2 },
  teal: { color: tokens.colorPaletteTealForeground2 },
  plain: { color: tokens.colorNeutralForeground2 },
});

type Colour = Exclude<keyof ReturnType<typeof useStyles>, 'icon'>;
type Look = readonly [FluentIcon, Colour];

const kinds: Readonly<Record<string, Look>> = {
  mailFolder: [FolderRegular, 'folder'],
  folder: [FolderRegular, 'folder'],
  message: [MailRegular, 'blue'],
  calendar: [CalendarRegular, 'blue'],
  event: [CalendarRegular, 'blue'],
  contactFolder: [ContactCardRegular, 'teal'],
  contact: [ContactCardRegular, 'teal'],
  taskList: [TaskListSquareLtrRegular, 'purple'],
  task: [TaskListSquareLtrRegular, 'purple'],
  library: [LibraryRegular, 'teal'],
  list: [TableRegular, 'teal'],
  listItem: [TableRegular, 'plain'],
  site: [GlobeRegular, 'teal'],
  page: [DocumentTextRegular, 'teal'],
  team: [PeopleTeamRegular, 'purple'],
  channel: [ChatRegular, 'purple'],
  chat: [ChatRegular, 'purple'],
  post: [ChatRegular, 'purple'],
  reply: [ChatRegular, 'purple'],
  chatMessage: [ChatRegular, 'purple'],
  rule: [SettingsRegular, 'plain'],
  mailboxSettings: [SettingsRegular, 'plain'],
};

const areas: Readonly<Record<string, Look>> = {
  mail: [MailRegular, 'blue'],
  calendars: [CalendarRegular, 'blue'],
  contacts: [ContactCardRegular, 'teal'],
  tasks: [TaskListSquareLtrRegular, 'purple'],
  settings: [SettingsRegular, 'plain'],
};

const mailFolders: Readonly<Record<string, FluentIcon>> = {
  inbox: MailInboxRegular,
  drafts: DraftsRegular,
  sentitems: SendRegular,
  deleteditems: DeleteRegular,
  junkemail: MailProhibitedRegular,
  archive: ArchiveRegular,
};

const files: readonly (readonly [RegExp, FluentIcon, Colour])[] = [
  [/\.(docx?|odt|rtf|dotx?)$/i, DocumentTextRegular, 'blue'],
  [/\.(xlsx?|ods|csv|xlsm)$/i, TableRegular, 'green'],
  [/\.(pptx?|odp|ppsx?)$/i, SlideTextRegular, 'red'],
  [/\.pdf$/i, DocumentPdfRegular, 'red'],
  [/\.(png|jpe?g|gif|webp|bmp|tiff?|heic|svg|psd)$/i, ImageRegular, 'purple'],
  [/\.(mp4|mov|avi|mkv|webm|wmv)$/i, VideoRegular, 'purple'],
  [/\.(mp3|wav|m4a|flac|ogg)$/i, MusicNote2Regular, 'purple'],
  [/\.(zip|7z|rar|tar|gz)$/i, FolderZipRegular, 'folder'],
  [/\.(eml|msg)$/i, MailRegular, 'blue'],
  [/\.(txt|md|log)$/i, DocumentTextRegular, 'plain'],
  [/\.(json|xml|ya?ml|html?|css|[jt]sx?|py|cs|java|sql|ps1|sh)$/i, CodeRegular, 'teal'],
];

type Looked = Pick<Node, 'kind' | 'name'> & Partial<Pick<Node, 'facts'>>;

function lookOf({ kind, name, facts }: Looked): Look {
  if (kind === 'area') return areas[name] ?? [FolderRegular, 'folder'];
  const special = mailFolders[facts?.wellKnown ?? ''];
  if (special !== undefined) return [special, 'blue'];
  const known = kinds[kind];
  if (known !== undefined) return known;
  const found = files.find(([ending]) => ending.test(name));
  return found === undefined ? [DocumentRegular, 'plain'] : [found[1], found[2]];
}

/** What an item is, as a picture: its kind, and of a file the program that made it. */
export function KindIcon({ node, className }: { readonly node: Looked; readonly className?: string }): ReactElement {
  const styles = useStyles();
  const [Icon, colour] = lookOf(node);
  return <Icon aria-hidden className={mergeClasses(styles.icon, styles[colour], className)} />;
}
