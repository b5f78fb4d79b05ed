import type { ContentAccessEntry } from '@holdfast/contract/access-log';
import { useFormat, useText } from '../../i18n/use-text.ts';

/** So many are named; of more the rest is counted. */
const NAMED = 3;

/** An access as a sentence: who, whose, on what right. */
export function useSentence(): (entry: ContentAccessEntry) => string {
  const text = useText();
  const format = useFormat();

  function ownersOf({ owners }: ContentAccessEntry): string {
    const names = owners
      .slice(0, NAMED)
      .map(({ name }) => name)
      .join(', ');
    const more = owners.length - NAMED;
    if (names === '') return text('accessLog.nobody');
    return more > 0 ? text('accessLog.more', { names, count: more }) : names;
  }

  function groundOf({ ground, groundName: name }: ContentAccessEntry): string {
    if (ground === null) return '';
    if (ground === 'role' || ground === 'own' || name === null) return text(`accessLog.grounds.${ground}`);
    return text(`accessLog.grounds.${ground}Named`, { name });
  }

  return (entry) => {
    const reader = entry.isOwn ? text('accessLog.you') : entry.reader;
    if (entry.kind === 'searched') {
      const found = { reader, query: entry.query ?? '', count: format.count(entry.count ?? 0) };
      if (entry.ground === 'auditor') return text('accessLog.sentences.searchedAudit', { ...found, name: entry.groundName ?? '' });
      return entry.groundName === null
        ? text('accessLog.sentences.searched', found)
        : text('accessLog.sentences.searchedCase', { ...found, name: entry.groundName });
    }
    const told = { reader, owner: ownersOf(entry), ground: groundOf(entry) };
    // An item is opened alone, or as one of the messages of a conversation.
    if (entry.kind === 'opened' && entry.count !== null) {
      return text('accessLog.sentences.openedConversation', { ...told, count: format.count(entry.count) });
    }
    return text(`accessLog.sentences.${entry.kind}`, told);
  };
}
