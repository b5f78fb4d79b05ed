import type { FieldName } from './fields.ts';
import type { Query } from './tree.ts';

/** Fields that are known of an item whose text and attachments nobody could read. */
const outside: readonly FieldName[] = [
  'subject',
  'attachment',
  'from',
  'to',
  'cc',
  'bcc',
  'recipients',
  'participants',
  'received',
  'archived',
  'at',
  'size',
  'deleted',
  'hasattachment',
  'attachments',
  'kind',
  'workload',
  'hash',
  'messageid',
  'id',
  'folderid',
  'path',
  'filetype',
  'mailbox',
  'folder',
  'version',
];

/** Whether what a query finds depends on words that are inside of items: in their text, their attachments, or in what was read from these. */
export function looksInside(query: Query): boolean {
  switch (query.kind) {
    case 'everything':
      return false;
    case 'and':
    case 'or':
      return query.of.some(looksInside);
    case 'not':
      return looksInside(query.of);
    case 'near':
      return query.operands.some(looksInside);
    case 'text':
    case 'value':
    case 'empty':
    case 'range':
      return query.field === null || !outside.includes(query.field);
  }
}
