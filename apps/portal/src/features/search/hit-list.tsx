import { Checkbox, Link, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import {
  CalendarRegular,
  ChatRegular,
  ContactCardRegular,
  DocumentRegular,
  MailRegular,
  TaskListSquareLtrRegular,
} from '@fluentui/react-icons';
import type { FluentIcon } from '@fluentui/react-icons';
import { passageHitsMax } from '@holdfast/contract/search';
import type { SearchHit } from '@holdfast/contract/search';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { MarkedText } from '../../ui/marked-text.tsx';
import { PassageLine, useMarker } from './passages.tsx';
import type { PassageSource } from './search.queries.ts';
import { useHitKeys } from './use-hit-keys.ts';
import type { Ticked } from '../../ui/use-ticked.ts';

const useStyles = makeStyles({
  icon: { flexShrink: 0, fontSize: '20px', color: tokens.colorBrandForeground1 },
  words: { flex: '1 1 auto', minWidth: 0 },
  line: { display: 'block', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  below: { color: tokens.colorNeutralForeground2 },
  deleted: { color: tokens.colorStatusDangerForeground1 },
  date: { flexShrink: 0, fontVariantNumeric: 'tabular-nums' },
  row: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalM, width: '100%', height: '100%' },
  title: { maxWidth: '100%' },
  chosen: { fontWeight: tokens.fontWeightSemibold },
});

const icons: Readonly<Record<SearchHit['kind'], FluentIcon>> = {
  email: MailRegular,
  meetings: CalendarRegular,
  contacts: ContactCardRegular,
  tasks: TaskListSquareLtrRegular,
  im: ChatRegular,
  docs: DocumentRegular,
};
const listHeight = 560;
const rowHeight = 72;
/** With a line of text around the words. */
const rowHeightWithPassage = 92;

/** The archive alone still has the message: what the last restore point was says nothing of it. */
function isArchived({ resource }: SearchHit): boolean {
  return resource.kind === 'archive';
}

/** The hits beside one, which are asked for their passages with it. */
function beside(rows: readonly SearchHit[], hit: SearchHit): string[] {
  const first = Math.floor(rows.indexOf(hit) / passageHitsMax) * passageHitsMax;
  return rows.slice(first, first + passageHitsMax).map(({ hitId }) => hitId);
}

interface HitListProps {
  readonly rows: readonly SearchHit[];
  readonly total: number;
  readonly chosenId: string | null;
  /** The ticked hits, where something can be done with several. */
  readonly ticked?: Ticked;
  /** The search whose words are shown where they are. */
  readonly search?: Omit<PassageSource, 'hitIds'>;
  readonly onChoose: (hit: SearchHit) => void;
  readonly onNearEnd: () => void;
}

/** The hits, newest first; Enter or a click shows one in the reading pane, j and k the next and the one before, Space and x tick one. */
export function HitList({ rows, total, chosenId, ticked, search, onChoose, onNearEnd }: HitListProps): ReactElement {
  const text = useText();
  const frame = useHitKeys(rows, { chosenId, onChoose, onTick: ticked?.toggle });
  return (
    <div ref={frame}>
      <VirtualList
        label={text('search.list')}
        rows={rows}
        total={total}
        height={listHeight}
        rowHeight={search === undefined ? rowHeight : rowHeightWithPassage}
        rowKey={(row) => row.hitId}
        onOpen={onChoose}
        onSelect={(row) => (ticked === undefined ? onChoose(row) : ticked.toggle(row.hitId))}
        onNearEnd={onNearEnd}
        render={(row, tabIndex) => (
          <HitRow
            hit={row}
            tabIndex={tabIndex}
            isChosen={row.hitId === chosenId}
            tick={ticked && { isTicked: ticked.ids.has(row.hitId), toggle: () => ticked.toggle(row.hitId) }}
            source={search && { ...search, hitIds: beside(rows, row) }}
            onChoose={() => onChoose(row)}
          />
        )}
      />
    </div>
  );
}

/** Who sent a hit, and whose it is. */
function useWhere(): (hit: SearchHit) => string {
  const text = useText();
  return (hit) => {
    const { kind, sender, resource } = hit;
    const words = { kind: text(`search.kinds.${kind}`), name: resource.name || resource.address };
    const where = text(isArchived(hit) ? 'search.whereArchived' : 'search.whereIs', words);
    return sender === '' ? where : `${sender} · ${where}`;
  };
}

interface HitRowProps {
  readonly hit: SearchHit;
  readonly tabIndex: 0 | -1;
  readonly isChosen: boolean;
  readonly source: PassageSource | undefined;
  readonly tick: { readonly isTicked: boolean; readonly toggle: () => void } | undefined;
  readonly onChoose: () => void;
}

function HitRow({ hit, tabIndex, isChosen, tick, source, onChoose }: HitRowProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const marker = useMarker(source?.started.query);
  const Icon = icons[hit.kind];
  const title = hit.title.trim() || text('search.untitled');
  const where = useWhere()(hit);
  return (
    <span role="gridcell" className={styles.row} aria-selected={isChosen}>
      {tick !== undefined && (
        <Checkbox
          tabIndex={tabIndex}
          checked={tick.isTicked}
          onChange={tick.toggle}
          aria-label={text('search.selection.tick', { name: title })}
        />
      )}
      <Icon className={styles.icon} aria-hidden />
      <span className={styles.words}>
        <Link
          as="button"
          tabIndex={tabIndex}
          className={mergeClasses(styles.line, styles.title, isChosen && styles.chosen)}
          onClick={onChoose}
        >
          <MarkedText text={title} marks={marker('subject', title)} />
        </Link>
        <Text size={200} className={mergeClasses(styles.line, styles.below)}>
          {where}
        </Text>
        {source !== undefined && (!hit.isDeleted || isArchived(hit)) && <PassageLine source={source} hitId={hit.hitId} />}
        {hit.isDeleted && !isArchived(hit) && (
          <Text size={200} className={mergeClasses(styles.line, styles.deleted)}>
            {text('search.deleted', { date: format.date(hit.lastSeenAt) })}
          </Text>
        )}
      </span>
      <Text size={200} className={styles.date}>
        {format.date(hit.at)}
      </Text>
    </span>
  );
}
