import { Avatar, Button, Card, makeStyles, Subtitle2, Text, tokens } from '@fluentui/react-components';
import { people } from '@holdfast/contract/people';
import type { Protectable, ProtectableDetails, ProtectablePart } from '@holdfast/contract/people';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import type { PhraseKey } from '../../i18n/phrase-key.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import type { Command } from '../../ui/command-bar.tsx';
import { FailedState } from '../../ui/empty-state.tsx';
import { CardGrid, Row, Split } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { WorkloadIcon } from '../../ui/workload-look.tsx';
import { AccessRequestForm } from '../data-requests/index.ts';
import { ErasePersonForm } from '../deletions/index.ts';
import { HoldForm } from '../holds/index.ts';
import { restoreLink } from '../restore/index.ts';
import { DayBars } from './day-bars.tsx';
import { JobsCard, RestoresCard } from './related-cards.tsx';

const useStyles = makeStyles({
  who: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: tokens.spacingHorizontalL, rowGap: tokens.spacingVerticalS },
  quiet: { color: tokens.colorNeutralForeground2, overflowWrap: 'anywhere' },
  part: { display: 'flex', alignItems: 'center', columnGap: tokens.spacingHorizontalS },
  size: { marginInlineStart: 'auto', fontVariantNumeric: 'tabular-nums' },
  foot: { marginTop: 'auto' },
});

/** What is asked about somebody in a drawer. */
type FormName = 'hold' | 'access' | 'erase';

export interface PersonPageProps {
  readonly tenantId: string;
  readonly resourceId: string;
}

/** Everything about one person, site, team or chat, and everything that can be done for them. */
export function PersonPage({ tenantId, resourceId }: PersonPageProps): ReactElement {
  const text = useText();
  const details = useQuery(read(people.get, { params: { tenantId, resourceId }, quiet: true }));
  const [opened, setOpened] = useState<FormName | null>(null);
  const entry = details.data?.entry;
  const commands = useCommands(details.data, setOpened);
  return (
    <Page
      title={entry?.name ?? text('shell.people')}
      crumbs={[{ label: text('shell.people'), to: '/people' }]}
      commands={<CommandBar commands={commands} />}
    >
      {details.isPending && <LoadingShape rows={4} height={128} />}
      {details.isError && <FailedState error={details.error} onRetry={() => void details.refetch()} />}
      {details.data !== undefined && <Details details={details.data} />}
      {entry !== undefined && (
        <OpenedForm
          form={opened}
          tenantId={tenantId}
          of={{ resourceId: entry.resourceId ?? resourceId, name: entry.name }}
          onClose={() => setOpened(null)}
        />
      )}
    </Page>
  );
}

interface OpenedFormProps {
  readonly form: FormName | null;
  readonly tenantId: string;
  readonly of: { readonly resourceId: string; readonly name: string };
  readonly onClose: () => void;
}

function OpenedForm({ form, tenantId, of, onClose }: OpenedFormProps): ReactElement | null {
  if (form === 'hold') return <HoldForm tenantId={tenantId} resource={of} onClose={onClose} />;
  if (form === 'access') return <AccessRequestForm tenantId={tenantId} person={of} onClose={onClose} />;
  return form === 'erase' ? <ErasePersonForm tenantId={tenantId} person={of} onClose={onClose} /> : null;
}

/** What the role allows; what there is nothing for is absent. */
function useCommands(details: ProtectableDetails | undefined, onOpen: (form: FormName) => void): readonly Command[] {
  const text = useText();
  const navigate = useNavigate();
  const may = {
    restore: useMay('restore.run'),
    search: useMay('search.run'),
    run: useMay('jobs.manage'),
    hold: useMay('deletion.manage'),
    request: useMay('dataRequests.manage'),
    audit: useMay('audit.read'),
  };
  if (details === undefined) return [];
  const { entry, places } = details;
  const first = places.find((place) => place.resourceId === entry.resourceId) ?? places[0];
  const searched = encodeURIComponent(`mailbox:"${(entry.address || entry.name).replaceAll('"', '')}"`);
  const ways: readonly (readonly [isOffered: boolean, label: PhraseKey, to: string])[] = [
    [may.restore && first !== undefined, 'people.restore', first === undefined ? '' : restoreLink(first)],
    [may.search && first !== undefined, 'people.search', `/search?query=${searched}`],
    [may.run && entry.deletedAt === null, 'people.backUpNow', '/backup-and-restore/on-demand'],
    [may.audit, 'people.log', `/configuration/audit-log?search=${encodeURIComponent(entry.name)}`],
  ];
  const commands = ways
    .filter(([isOffered]) => isOffered)
    .map(([, label, to], at) => ({ id: label, label: text(label), run: () => void navigate(to), isPrimary: at === 0 }));
  if (!may.hold) return commands;
  const hold: Command = { id: 'hold', label: text('people.hold'), run: () => onOpen('hold') };
  const erase: Command = { id: 'erase', label: text('deletions.erase'), run: () => onOpen('erase') };
  const access: Command = { id: 'access', label: text('dataRequests.access'), run: () => onOpen('access') };
  if (entry.kind !== 'person' || first === undefined) return [...commands, hold];
  return [...commands, hold, erase, ...(may.request ? [access] : [])];
}

function Details({ details }: { readonly details: ProtectableDetails }): ReactElement {
  const text = useText();
  const { entry, days, jobs, restores } = details;
  return (
    <>
      <Who entry={entry} />
      <Card>
        <Subtitle2 as="h2">{text('people.stripTitle')}</Subtitle2>
        <DayBars days={days} />
      </Card>
      <CardGrid size="roomy">
        {entry.parts.map((part) => (
          <PartCard key={`${part.kind} ${part.graphId}`} part={part} places={details.places} />
        ))}
      </CardGrid>
      <Split even>
        <JobsCard jobs={jobs} />
        <RestoresCard restores={restores} />
      </Split>
    </>
  );
}

function Who({ entry }: { readonly entry: Protectable }): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  return (
    <div className={styles.who}>
      <Avatar size={56} name={entry.name} color="colorful" shape={entry.kind === 'person' ? 'circular' : 'square'} aria-hidden />
      <Text className={styles.quiet}>{[text(`people.${entry.kind}`), entry.address].filter((part) => part !== '').join(' · ')}</Text>
      <StatusBadge status={entry.state} />
      {entry.isHeld && <StatusBadge status="onHold" />}
      {entry.deletedAt !== null && <Text>{text('people.deletedOn', { date: format.date(entry.deletedAt) })}</Text>}
    </div>
  );
}

interface PartCardProps {
  readonly part: ProtectablePart;
  readonly places: ProtectableDetails['places'];
}

/** A mailbox, OneDrive, site, team or chat: how much is kept of it, where, and the way in. */
function PartCard({ part, places }: PartCardProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const codeText = useCodeText();
  const navigate = useNavigate();
  const mayOpen = useMay('content.browse');
  const own = places.filter((place) => place.resourceId === part.resourceId);
  return (
    <Card>
      <div className={styles.part}>
        <WorkloadIcon workload={part.workload} />
        <Subtitle2 as="h2">{codeText(part.kind)}</Subtitle2>
        <Text weight="semibold" className={styles.size}>
          {format.bytes(part.newestPointAt === null ? null : part.bytes)}
        </Text>
      </div>
      <Row>
        <StatusBadge status={part.state} />
        {part.newestPointAt !== null && <Moment at={part.newestPointAt} />}
      </Row>
      {part.reason !== null && <Text>{codeText(part.reason)}</Text>}
      {own.length === 0 && <Text className={styles.quiet}>{text('people.notKept')}</Text>}
      {own.map((place) => (
        <div key={place.sourceId}>
          <Text as="p" block className={styles.quiet}>
            {text('people.pointsAt', { count: place.points, place: place.locationName })}
            {' · '}
            {text('people.contents', { items: format.count(place.items), bytes: format.bytes(place.bytes) })}
          </Text>
          {mayOpen && (
            <Button className={styles.foot} onClick={() => void navigate(restoreLink(place))}>
              {text('people.open')}
            </Button>
          )}
        </div>
      ))}
    </Card>
  );
}
