import type { FileKind } from '@holdfast/contract/compliance-values';
import { sql, type RawBuilder } from 'kysely';

const endings: Readonly<Record<Exclude<FileKind, 'other'>, readonly string[]>> = {
  document: ['doc', 'docm', 'docx', 'dot', 'dotx', 'md', 'odt', 'rtf', 'txt'],
  spreadsheet: ['csv', 'ods', 'xls', 'xlsb', 'xlsm', 'xlsx'],
  presentation: ['odp', 'pot', 'potx', 'pps', 'ppsx', 'ppt', 'pptm', 'pptx'],
  pdf: ['pdf'],
  picture: ['bmp', 'gif', 'heic', 'jpeg', 'jpg', 'png', 'svg', 'tif', 'tiff', 'webp'],
  video: ['avi', 'm4v', 'mkv', 'mov', 'mp4', 'mpeg', 'mpg', 'webm', 'wmv'],
  audio: ['aac', 'flac', 'm4a', 'mp3', 'ogg', 'wav', 'wma'],
  mail: ['eml', 'mbox', 'msg', 'pst'],
  archive: ['7z', 'gz', 'rar', 'tar', 'zip'],
};

/** What follows the last dot of a name; null without one. */
export function endingOf(name: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql`lower(substring(${name} from '[.]([^.]+)$'))`;
}

/** The kind of a file by the ending of its name. */
export function fileKindOf(ending: RawBuilder<unknown>): RawBuilder<FileKind> {
  const cases = Object.entries(endings).map(([kind, known]) => sql`when ${ending} = any(${[...known]}::text[]) then ${kind}::text`);
  return sql<FileKind>`(case ${sql.join(cases, sql` `)} else 'other' end)`;
}
