import type { ImportSettings } from '@holdfast/contract/jobs';

export type Mapping = ImportSettings['mapping'][number];

const holds = (folder: string, path: string): boolean => folder === '' || path === folder || path.startsWith(`${folder}/`);

/** Who gets what is in a folder: the longest that holds it decides. Undefined where nobody was chosen for it. */
export function mappingOf(mapping: ImportSettings['mapping'], path: string): Mapping | undefined {
  let best: Mapping | undefined;
  for (const one of mapping) if (holds(one.folder, path) && (!best || one.folder.length > best.folder.length)) best = one;
  return best;
}

/** The folder in the archive. */
export function folderInArchive({ into }: Pick<Mapping, 'into'>, path: string): string {
  return [into, path].filter((part) => part !== '').join('/');
}

/** Each mailbox of a mapping once. */
export function mailboxesOf(mapping: ImportSettings['mapping']): readonly Mapping['mailbox'][] {
  return [...new Map(mapping.map(({ mailbox }) => [mailbox.id, mailbox])).values()];
}
