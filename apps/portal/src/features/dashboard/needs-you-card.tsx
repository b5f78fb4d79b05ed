import { Button, Card, Link as FluentLink, makeStyles, mergeClasses, Subtitle2, Text, tokens } from '@fluentui/react-components';
import { AlertUrgentRegular, WarningRegular } from '@fluentui/react-icons';
import type { AttentionEntry, Overview, WorkloadFigures } from '@holdfast/contract/dashboard';
import { jobs } from '@holdfast/contract/jobs';
import { reportsAddress } from '@holdfast/contract/reporting';
import { useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useAttentionName } from '../../i18n/use-attention-name.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Row } from '../../ui/layout.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { consequenceOf, remediesOf } from './attention-help.ts';
import { isFirstBackup } from './first-backup.ts';

const shown = 3;

const useStyles = makeStyles({
  head: { display: 'flex', justifyContent: 'space-between', alignItems: 'baseline' },
  list: { listStyleType: 'none', margin: 0, padding: 0, display: 'flex', flexDirection: 'column', rowGap: tokens.spacingVerticalM },
  entry: {
    display: 'flex',
    flexDirection: 'column',
    rowGap: tokens.spacingVerticalXS,
    paddingInlineStart: tokens.spacingHorizontalM,
    borderInlineStartWidth: '4px',
    borderInlineStartStyle: 'solid',
    borderInlineStartColor: tokens.colorPaletteMarigoldBorder2,
  },
  risk: { borderInlineStartColor: tokens.colorPaletteRedBorder2 },
  title: { display: 'flex', alignItems: 'center', columnGap: tokens.spacingHorizontalXS },
  red: { color: tokens.colorPaletteRedForeground1 },
  yellow: { color: tokens.colorPaletteMarigoldForeground2 },
  quiet: { color: tokens.colorNeutralForeground2 },
});

/** Unprotected resources that no entry names: closed mailboxes have an entry of their own, and nobody is listed twice. */
function unnamedOf({ workload, unprotected }: WorkloadFigures, entries: readonly AttentionEntry[]): number {
  if (workload !== 'exchange') return unprotected;
  const named = entries.filter(({ kind }) => kind === 'coverage').reduce((sum, { others = 0 }) => sum + 1 + others, 0);
  return Math.max(0, unprotected - named);
}

/** What somebody has to do: what is wrong, since when, what it means, and the button that mends it. */
export function NeedsYouCard({ tenantId, overview }: { readonly tenantId: string; readonly overview: Overview }): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const [isWhole, setIsWhole] = useState(false);
  const unprotectedOf = (isFirst: boolean): number =>
    overview.workloads
      .filter((figures) => isFirstBackup(figures) === isFirst)
      .reduce((sum, figures) => sum + unnamedOf(figures, overview.attention), 0);
  const unprotected = unprotectedOf(false);
  const isQuiet = overview.attention.length + unprotected === 0;
  const isFirst = unprotectedOf(true) > 0;
  const rest = overview.attention.length - shown;
  return (
    <Card>
      <div className={styles.head}>
        <Subtitle2 as="h2">{text('shell.attention')}</Subtitle2>
        <RouterLink to="/backup-and-restore/job-monitor">{text('dashboard.allActivity')}</RouterLink>
      </div>
      {isQuiet && (
        <Row>
          <StatusBadge status={isFirst ? 'running' : 'protected'} />
          <Text>{text(isFirst ? 'dashboard.quietSoFar' : 'shell.attentionNone')}</Text>
        </Row>
      )}
      <ul className={styles.list}>
        {overview.attention.slice(0, isWhole ? undefined : shown).map((entry) => (
          <EntryOf key={`${entry.kind} ${entry.code} ${entry.name}`} tenantId={tenantId} entry={entry} />
        ))}
        {unprotected > 0 && (
          <Item
            isRisk
            title={
              <RouterLink to={`${reportsAddress('coverage')}&state=unprotected`}>
                {text('dashboard.unprotected', { count: format.count(unprotected) })}
              </RouterLink>
            }
          >
            <Text className={styles.quiet}>{text('dashboard.unprotectedAdvice')}</Text>
          </Item>
        )}
      </ul>
      {rest > 0 && !isWhole && (
        <FluentLink as="button" onClick={() => setIsWhole(true)}>
          {text('dashboard.showAll', { count: format.count(overview.attention.length) })}
        </FluentLink>
      )}
    </Card>
  );
}

function Item({
  isRisk,
  title,
  children,
}: {
  readonly isRisk: boolean;
  readonly title: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  const styles = useStyles();
  return (
    <li className={mergeClasses(styles.entry, isRisk && styles.risk)}>
      <span className={styles.title}>
        {isRisk ? <AlertUrgentRegular aria-hidden className={styles.red} /> : <WarningRegular aria-hidden className={styles.yellow} />}
        {title}
      </span>
      {children}
    </li>
  );
}

function EntryOf({ tenantId, entry }: { readonly tenantId: string; readonly entry: AttentionEntry }): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const codeText = useCodeText();
  const nameOf = useAttentionName();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const mayRun = useMay('jobs.run');
  const { jobId, since } = entry;
  const consequence = consequenceOf(entry);
  return (
    <Item
      isRisk={entry.isRisk}
      title={
        <FluentLink as="button" onClick={() => void navigate(entry.link)}>
          <Text weight="semibold">{nameOf(entry)}</Text>
        </FluentLink>
      }
    >
      <Text>{codeText(entry.code)}</Text>
      <Text size={200} className={styles.quiet}>
        {[
          ...(since === null ? [] : [text('dashboard.since', { at: format.dateTime(since) })]),
          ...(consequence === null ? [] : [text(consequence)]),
        ].join(' ')}
      </Text>
      <Row>
        {jobId !== null && mayRun && (
          <Button size="small" appearance="primary" onClick={() => setAsking(true)}>
            {text('jobs.startAgain')}
          </Button>
        )}
        {remediesOf(entry).map(({ label, to }) => (
          <Button key={label} size="small" onClick={() => void navigate(to)}>
            {text(label)}
          </Button>
        ))}
      </Row>
      {isAsking && jobId !== null && <StartAgain {...{ tenantId, jobId }} name={entry.name} onClose={() => setAsking(false)} />}
    </Item>
  );
}

interface StartAgainProps {
  readonly tenantId: string;
  readonly jobId: string;
  readonly name: string;
  readonly onClose: () => void;
}

function StartAgain({ tenantId, jobId, name, onClose }: StartAgainProps): ReactElement {
  const text = useText();
  const start = useChange(jobs.start, { success: 'successes.jobStarting', failure: 'failures.startJob' });
  return (
    <ConfirmDialog
      title={text('confirmations.startAgainTitle', { name })}
      text={text('confirmations.startJobText')}
      button={text('confirmations.startAgainButton')}
      busy={start.isPending}
      onClose={onClose}
      onConfirm={() => start.mutate({ params: { tenantId, jobId } }, { onSettled: onClose })}
    />
  );
}
