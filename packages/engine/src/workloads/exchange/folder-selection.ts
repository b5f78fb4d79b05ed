import type { Selection, Selections } from '../../ports/run.ts';

/** A mail folder as selection looks at it. */
export interface FolderNode {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
  /** The well-known name, where the folder has one. */
  readonly wellKnown?: string;
}

/** English names of well-known folders, so that a path works in a mailbox of any language. */
const WELL_KNOWN_PATHS: Readonly<Record<string, string>> = {
  inbox: 'inbox',
  drafts: 'drafts',
  sentitems: 'sent items',
  deleteditems: 'deleted items',
  junkemail: 'junk email',
  archive: 'archive',
  outbox: 'outbox',
  conversationhistory: 'conversation history',
};

/** Folders that hold copies of what is protected elsewhere. */
const NEVER = new Set(['teamsmessagesdata']);

/** A folder path as typed: `Inbox/Sub`, spaces around names and letter case do not matter. */
export function normalisePath(path: string): string {
  return path
    .split('/')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
    .join('/');
}

function ancestry(node: FolderNode, nodes: ReadonlyMap<string, FolderNode>): readonly FolderNode[] {
  const chain: FolderNode[] = [];
  for (let next: FolderNode | undefined = node; next && chain.length < 200; next = next.parentId ? nodes.get(next.parentId) : undefined) {
    chain.unshift(next);
  }
  return chain;
}

function pathsOf(chain: readonly FolderNode[]): readonly string[] {
  const shown = chain.map((node) => node.name.trim().toLowerCase());
  const [top] = chain;
  const english = top?.wellKnown === undefined ? undefined : WELL_KNOWN_PATHS[top.wellKnown];
  const paths = [shown.join('/')];
  if (english !== undefined) paths.push([english, ...shown.slice(1)].join('/'));
  return paths;
}

function isBelow(paths: readonly string[], wanted: readonly string[]): boolean {
  return wanted.some((entry) => paths.some((path) => path === entry || path.startsWith(`${entry}/`)));
}

/** The first that any job gives is told, so that it is the same whichever job has run. */
const REASONS = ['copyOfTeams', 'deletedItems', 'junk', 'excluded', 'notSelected'] as const;

type Reason = (typeof REASONS)[number];

/** What one job says of a folder, which ends the chain. */
function exclusionBy(chain: readonly FolderNode[], selection: Selection): Reason | undefined {
  if (chain.some((part) => NEVER.has(part.name.toLowerCase()))) return 'copyOfTeams';
  const mailbox = selection.mailbox ?? {};
  const isUnder = (name: string): boolean => chain.some((part) => part.wellKnown === name);
  if (mailbox.deletedItems === false && isUnder('deleteditems')) return 'deletedItems';
  if (mailbox.junk === false && isUnder('junkemail')) return 'junk';
  const paths = pathsOf(chain);
  if (selection.exclude && isBelow(paths, selection.exclude.map(normalisePath))) return 'excluded';
  if (selection.include && selection.include.length > 0 && !isBelow(paths, selection.include.map(normalisePath))) return 'notSelected';
  return undefined;
}

/** Why a folder is not protected, or `undefined` when any job protects it. */
export function folderExclusion(node: FolderNode, nodes: ReadonlyMap<string, FolderNode>, selections: Selections): Reason | undefined {
  const chain = ancestry(node, nodes);
  const reasons = selections.map((selection) => exclusionBy(chain, selection));
  return reasons.includes(undefined) ? undefined : REASONS.find((reason) => reasons.includes(reason));
}
