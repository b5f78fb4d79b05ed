import { Badge, Card, makeStyles, mergeClasses, Text, tokens, typographyStyles } from '@fluentui/react-components';
import type { Overview, WorkloadFigures } from '@holdfast/contract/dashboard';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Moment } from '../../ui/moment.tsx';
import { Ring } from '../../ui/ring.tsx';
import { narrowScreen } from '../../ui/theme.ts';
import { WorkloadIcon, workloadColours } from '../../ui/workload-look.tsx';
import { isFirstBackup } from './first-backup.ts';
import { safetyOf, type Safety } from './safety.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexDirection: 'row',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalXXL,
    [narrowScreen]: { flexDirection: 'column' },
  },
  words: {
    display: 'flex',
    flexDirection: 'column',
    rowGap: tokens.spacingVerticalS,
    flexGrow: 1,
    minWidth: 0,
    alignSelf: 'stretch',
    justifyContent: 'center',
  },
  sentence: { ...typographyStyles.title3, margin: 0 },
  good: { color: tokens.colorPaletteGreenForeground1 },
  bad: { color: tokens.colorPaletteRedForeground1 },
  quiet: { color: tokens.colorNeutralForeground2 },
  number: { ...typographyStyles.title1, fontVariantNumeric: 'tabular-nums' },
  list: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(232px, 100%), 1fr))',
    columnGap: tokens.spacingHorizontalXXL,
    rowGap: tokens.spacingVerticalS,
    listStyleType: 'none',
    margin: `${tokens.spacingVerticalS} 0 0`,
    padding: 0,
  },
  entry: { display: 'flex', alignItems: 'center', columnGap: tokens.spacingHorizontalS },
  count: { flexGrow: 1, fontVariantNumeric: 'tabular-nums' },
});

/** Is everything safe? One sentence, one picture, and each workload in a line. */
export function HeroCard({ workloads }: { readonly workloads: Overview['workloads'] }): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const safety = safetyOf(workloads);
  const lacking = workloads.reduce(
    (sum, { partly, unprotected }) => ({ partly: sum.partly + partly, unprotected: sum.unprotected + unprotected }),
    {
      partly: 0,
      unprotected: 0,
    },
  );
  return (
    <Card className={styles.root}>
      <Ring
        parts={[
          ...workloads.map((figures) => ({ name: figures.workload, value: figures.protected, colour: workloadColours[figures.workload] })),
          { name: 'partly', value: lacking.partly, colour: tokens.colorPaletteMarigoldForeground3 },
          { name: 'unprotected', value: lacking.unprotected - safety.awaited, colour: tokens.colorPaletteRedForeground3 },
          { name: 'awaited', value: safety.awaited, colour: tokens.colorNeutralStroke1 },
        ]}
      >
        <span className={styles.number}>{format.count(safety.safe)}</span>
        <Text size={200} className={styles.quiet}>
          {text('dashboard.ofSafe', { total: format.count(safety.total) })}
        </Text>
      </Ring>
      <div className={styles.words}>
        <Sentence safety={safety} />
        <ul className={styles.list}>
          {workloads.map((figures) => (
            <li key={figures.workload} className={styles.entry}>
              <WorkloadIcon workload={figures.workload} />
              <Text weight="semibold">{text(`common.${figures.workload}`)}</Text>
              <Text className={styles.count}>
                {text('dashboard.partOf', {
                  count: format.count(figures.protected),
                  total: format.count(figures.protected + figures.partly + figures.unprotected),
                })}
              </Text>
              <StateOf figures={figures} />
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}

function Sentence({ safety }: { readonly safety: Safety }): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const { safe, total, needing, awaited } = safety;
  const isWhole = total > 0 && needing + awaited === 0;
  const figures = { safe: format.count(safe), total: format.count(total) };
  const first = isWhole ? text('dashboard.allSafe', figures) : text(awaited > 0 ? 'dashboard.safeSoFar' : 'dashboard.safeOf', figures);
  return (
    <>
      <h2 className={mergeClasses(styles.sentence, isWhole && styles.good)}>{first}</h2>
      {needing > 0 && <Text className={mergeClasses(styles.sentence, styles.bad)}>{text('dashboard.needYou', { count: needing })}</Text>}
      {awaited > 0 && <Text>{text('dashboard.firstBackupStill', { count: format.count(awaited) })}</Text>}
      <Text className={styles.quiet}>
        {text('dashboard.lastGood')} <Moment at={safety.newestPointAt} />
      </Text>
    </>
  );
}

function StateOf({ figures }: { readonly figures: WorkloadFigures }): ReactElement {
  const text = useText();
  const format = useFormat();
  const { partly, unprotected } = figures;
  if (isFirstBackup(figures) && unprotected > 0) {
    return (
      <Badge appearance="tint" color="brand">
        {text('dashboard.firstBackup')}
      </Badge>
    );
  }
  if (figures.protected + partly + unprotected === 0) return <Badge appearance="tint">{text('dashboard.nothingThere')}</Badge>;
  if (unprotected > 0) {
    return (
      <Badge appearance="tint" color="danger">
        {text('dashboard.unprotected', { count: format.count(unprotected) })}
      </Badge>
    );
  }
  if (partly > 0) {
    return (
      <Badge appearance="tint" color="warning">
        {text('dashboard.partly', { count: format.count(partly) })}
      </Badge>
    );
  }
  return (
    <Badge appearance="tint" color="success">
      {text('dashboard.allOfThem')}
    </Badge>
  );
}
