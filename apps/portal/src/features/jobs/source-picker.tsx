import { Checkbox, makeStyles, mergeClasses, SearchBox, Tag, TagGroup, Text, tokens, typographyStyles } from '@fluentui/react-components';
import type { Candidate } from '@holdfast/contract/discovery';
import type { Workload } from '@holdfast/contract/values';
import type { SourceReference } from '@holdfast/contract/jobs';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useController, useFormContext } from 'react-hook-form';
import { usePortal } from '../../api/portal-context.ts';
import { keyOf } from '../../api/queries.ts';
import { nameWithAddress } from '../../i18n/name-with-address.ts';
import { useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { faultText } from '../../ui/form.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Moment } from '../../ui/moment.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { narrowScreen } from '../../ui/theme.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { FieldFrame } from '../../ui/field-frame.tsx';
import { AddressField } from './address-field.tsx';
import { isProtectedItself, routes } from './picker-kind.ts';
import type { PickerKind } from './picker-kind.ts';

/** A search goes to the server when the reader pauses. */
const pauseMs = 300;
const pageSize = 200;
const listHeight = 320;
/** Name, address and state below each other. */
const narrowHeight = 76;
/** More tags than this would push the list out of sight; the count says how many there are. */
const shownTags = 50;

const useStyles = makeStyles({
  tags: { flexWrap: 'wrap', rowGap: tokens.spacingVerticalXS },
  moment: { width: '120px', flexShrink: 0, [narrowScreen]: { display: 'none' } },
  cells: { display: 'contents', [narrowScreen]: { display: 'block', minWidth: 0 } },
  name: { flexGrow: 1, minWidth: 0, overflow: 'hidden', [narrowScreen]: { display: 'block' } },
  state: { [narrowScreen]: { display: 'block', paddingInlineStart: `calc(16px + 2 * ${tokens.spacingHorizontalS})` } },
  choice: { maxWidth: '100%', '& .fui-Checkbox__label': { minWidth: 0, paddingBlock: 0, alignSelf: 'center' } },
  line: { display: 'block', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  address: { ...typographyStyles.caption1, color: tokens.colorNeutralForeground2 },
});

/** Whom a picker asks for; the workload is that of which it tells how well they are protected. */
interface Asked {
  readonly kind: PickerKind;
  readonly tenantId: string;
  readonly locationId: string;
  readonly workload: Workload | undefined;
  /** Guests have neither a mailbox nor a OneDrive here: for those they are not offered, to protect or to restore to. */
  readonly withoutGuests: boolean;
}

/** Pages of candidates that match a search, loaded as the reader scrolls. */
function useCandidates({ kind, tenantId, locationId, workload, withoutGuests }: Asked, search: string) {
  const { client } = usePortal();
  const route = routes[kind];
  const place = { tenantId, locationId };
  return useInfiniteQuery({
    queryKey: [...keyOf(route), place, 'picker', workload ?? kind, withoutGuests, search],
    queryFn: ({ pageParam, signal }) =>
      client.send(route, {
        params: place,
        query: {
          limit: pageSize,
          ...(workload === undefined ? {} : { workload }),
          ...(withoutGuests ? { guests: 'false' } : {}),
          ...(search === '' ? {} : { search }),
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        quiet: true,
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 60_000,
    meta: { quiet: true },
  });
}

export interface SourcePickerProps {
  readonly name: string;
  readonly kind: PickerKind;
  readonly tenantId: string;
  readonly locationId: string;
  readonly label: string;
  /** Of which protection is told; that of mailboxes without it. */
  readonly workload?: Workload;
  readonly hint?: string;
  /** One choice replaces the one before. */
  readonly isSingle?: boolean;
  /** Chooses the target of a restore: guests have no place for it. */
  readonly isTarget?: boolean;
}

/** Chooses from tens of thousands: searched on the server, only what is in sight is drawn, no doubles. */
export function SourcePicker(props: SourcePickerProps): ReactElement {
  const { name, kind, tenantId, locationId, label, workload, isSingle = false, isTarget = false } = props;
  const text = useText();
  const hint = props.hint ?? (kind === 'groups' ? text('jobs.groupHint') : undefined);
  const { client, clock } = usePortal();
  const place = { tenantId, locationId };
  const { clearErrors } = useFormContext();
  const { field, fieldState } = useController({ name });
  const { ref: bind, value, onChange } = field;
  const change = (next: readonly SourceReference[]): void => {
    onChange(next);
    // Nobody was chosen here or under another tab: somebody is now.
    clearErrors();
  };
  const chosen = useMemo(() => (Array.isArray(value) ? (value as SourceReference[]) : []), [value]);
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  useEffect(() => clock.after(pauseMs, () => setSearch(typed.trim())), [clock, typed]);
  const withoutGuests = isTarget || workload === 'exchange' || workload === 'onedrive';
  const candidates = useCandidates({ kind, tenantId, locationId, workload, withoutGuests }, search);
  const ids = useMemo(() => new Set(chosen.map((one) => one.id)), [chosen]);
  const toggle = (row: Candidate): void => {
    const { id, address } = row;
    change(ids.has(id) ? chosen.filter((one) => one.id !== id) : [...(isSingle ? [] : chosen), { id, name: row.name, address }]);
  };
  const fault = faultText(fieldState.error?.message, text);
  return (
    <Stack>
      <FieldFrame label={label} fault={fault} {...(hint === undefined ? {} : { hint })}>
        <SearchBox
          ref={bind}
          name={name}
          value={typed}
          dismiss={{ 'aria-label': text('kit.clearSearch') }}
          onChange={(_event, data) => setTyped(data.value)}
          style={{ maxWidth: 'none' }}
        />
      </FieldFrame>
      <Chosen chosen={chosen} label={label} onRemove={(id) => change(chosen.filter((one) => one.id !== id))} />
      <CandidateList
        candidates={candidates}
        isSearched={search !== ''}
        label={label}
        ids={ids}
        hasState={isProtectedItself(kind, workload)}
        onToggle={toggle}
      />
      <AddressField
        kind={kind}
        chosen={chosen}
        search={async (address) =>
          (
            await client.send(routes[kind], {
              params: place,
              query: { search: address, limit: 200, ...(withoutGuests ? { guests: 'false' } : {}) },
              quiet: true,
            })
          ).items
        }
        onAdd={(found) => change(isSingle ? found.slice(-1) : [...chosen, ...found])}
      />
    </Stack>
  );
}

interface CandidateListProps {
  readonly candidates: ReturnType<typeof useCandidates>;
  readonly isSearched: boolean;
  readonly label: string;
  readonly ids: ReadonlySet<string>;
  /** Whether it is told how well each is protected. */
  readonly hasState: boolean;
  readonly onToggle: (row: Candidate) => void;
}

function CandidateList({ candidates, isSearched, label, ids, hasState, onToggle }: CandidateListProps): ReactElement {
  const text = useText();
  const rows = useMemo(() => candidates.data?.pages.flatMap((page) => page.items) ?? [], [candidates.data]);
  return (
    <>
      {candidates.isPending && <LoadingShape rows={5} />}
      {candidates.isError && <FailedState error={candidates.error} onRetry={() => void candidates.refetch()} />}
      {candidates.data !== undefined && rows.length === 0 && (
        <Text role="status">{text(isSearched ? 'jobs.nobody' : 'jobs.onDemandEmpty')}</Text>
      )}
      {rows.length > 0 && (
        <VirtualList
          label={label}
          rows={rows}
          total={candidates.data?.pages[0]?.total ?? rows.length}
          height={listHeight}
          narrowHeight={narrowHeight}
          rowKey={(row) => row.id}
          onOpen={onToggle}
          onSelect={onToggle}
          render={(row, tabIndex) => (
            <CandidateRow row={row} tabIndex={tabIndex} isChosen={ids.has(row.id)} hasState={hasState} onToggle={() => onToggle(row)} />
          )}
          onNearEnd={() => {
            if (candidates.hasNextPage && !candidates.isFetchingNextPage) void candidates.fetchNextPage();
          }}
        />
      )}
    </>
  );
}

/** The address below the name, so that both can be read where there is little room. */
function CandidateName({ name, address }: Pick<Candidate, 'name' | 'address'>): ReactElement {
  const styles = useStyles();
  if (address === '') return <span className={styles.line}>{name}</span>;
  return (
    <span title={nameWithAddress({ name, address })}>
      <span className={styles.line}>{name} </span>
      <span className={mergeClasses(styles.line, styles.address)}>({address})</span>
    </span>
  );
}

interface CandidateRowProps extends Pick<CandidateListProps, 'hasState'> {
  readonly row: Candidate;
  readonly tabIndex: 0 | -1;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
}

function CandidateRow({ row, tabIndex, isChosen, hasState, onToggle }: CandidateRowProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  return (
    <div role="presentation" className={styles.cells}>
      <span role="gridcell" className={styles.name}>
        <Checkbox
          className={styles.choice}
          tabIndex={tabIndex}
          label={<CandidateName name={row.name} address={row.address} />}
          checked={isChosen}
          onChange={onToggle}
        />
      </span>
      {hasState && (
        <>
          <span role="gridcell" className={styles.state}>
            <StatusBadge status={row.protection} />
          </span>
          <span role="gridcell" className={styles.moment} title={text('jobs.lastPoint')}>
            <Moment at={row.lastPointAt} />
          </span>
        </>
      )}
    </div>
  );
}

interface ChosenProps {
  readonly chosen: readonly Pick<SourceReference, 'id' | 'name'>[];
  readonly label: string;
  readonly onRemove: (id: string) => void;
}

/** Who is chosen, each to be taken back. */
export function Chosen({ chosen, label, onRemove }: ChosenProps): ReactElement | null {
  const text = useText();
  const styles = useStyles();
  if (chosen.length === 0) return null;
  return (
    <>
      <Text role="status">{text('jobs.chosen', { count: chosen.length })}</Text>
      <TagGroup className={styles.tags} aria-label={label} onDismiss={(_event, { value }) => onRemove(value)}>
        {chosen.slice(0, shownTags).map((one) => (
          <Tag key={one.id} value={one.id} dismissible dismissIcon={{ 'aria-label': text('kit.removeTag', { name: one.name }) }}>
            {one.name}
          </Tag>
        ))}
      </TagGroup>
    </>
  );
}
