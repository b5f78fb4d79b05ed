import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { compliance } from '@holdfast/contract/compliance';
import type { WordPart } from '@holdfast/contract/compliance-values';
import type { ResponseOf } from '@holdfast/contract/route';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { messageOf } from '../../api/failures.ts';
import { usePortal } from '../../api/portal-context.ts';
import { useText } from '../../i18n/use-text.ts';
import { useTicket, type ItemPlace } from './use-ticket.ts';

export type Comparison = ResponseOf<typeof compliance.compare>;

/** One side of a comparison: an item, or a file as it was in the version of a label. */
export interface ComparedItem {
  readonly place: ItemPlace;
  readonly version?: string;
}

const useStyles = makeStyles({
  text: {
    maxHeight: '420px',
    overflowY: 'auto',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
    padding: tokens.spacingHorizontalM,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusMedium,
  },
  added: { backgroundColor: tokens.colorPaletteGreenBackground2, color: tokens.colorPaletteGreenForeground2, textDecorationLine: 'none' },
  removed: { backgroundColor: tokens.colorPaletteRedBackground2, color: tokens.colorPaletteRedForeground2 },
});

/** Opens both items, each with a ticket and a line in the log of its own, and asks what differs; null when refused, which is told in a message. */
export function useComparison(older: ComparedItem, newer: ComparedItem) {
  const { client, toasts, languages } = usePortal();
  const [isPending, setPending] = useState(false);
  const ofOlder = useTicket(older.place);
  const ofNewer = useTicket(newer.place);
  const sideOf = (ticket: string, { version }: ComparedItem) => (version === undefined ? { ticket } : { ticket, version });
  const run = async (reason: string): Promise<Comparison | null> => {
    setPending(true);
    try {
      const one = await ofOlder.open(reason, (ticket) => Promise.resolve(ticket));
      const other = one === null ? null : await ofNewer.open(reason, (ticket) => Promise.resolve(ticket));
      if (one === null || other === null) return null;
      const body = { older: sideOf(one, older), newer: sideOf(other, newer) };
      return await client.send(compliance.compare, { params: { tenantId: newer.place.tenantId }, body, quiet: true });
    } catch (error) {
      toasts.show('error', messageOf(error, languages.text, languages.current()));
      return null;
    } finally {
      setPending(false);
    }
  };
  return { isPending, run };
}

/** What became of a text, word by word. */
export function WordDifferences({ found, label }: { readonly found: Comparison; readonly label: string }): ReactElement {
  const text = useText();
  const styles = useStyles();
  const { parts, isCut } = found;
  return (
    <>
      {parts.every(({ change }) => change === 'same') && <Text role="status">{text('compliance.noDifference')}</Text>}
      {isCut && <Text role="status">{text('compliance.comparedCut')}</Text>}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard */}
      <div className={styles.text} role="region" aria-label={label} tabIndex={0}>
        {parts.map((part, index) => (
          <Part key={index} part={part} />
        ))}
      </div>
    </>
  );
}

function Part({ part: { change, text } }: { readonly part: WordPart }): ReactElement {
  const styles = useStyles();
  if (change === 'added') return <ins className={styles.added}>{text}</ins>;
  return change === 'removed' ? <del className={styles.removed}>{text}</del> : <>{text}</>;
}
