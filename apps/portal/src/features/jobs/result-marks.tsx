import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import type { Job } from '@holdfast/contract/jobs';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';

type Result = Job['lastResults'][number];

const useStyles = makeStyles({
  row: { display: 'flex', columnGap: '2px', marginTop: tokens.spacingVerticalXXS },
  mark: {
    width: '8px',
    height: '14px',
    borderRadius: tokens.borderRadiusSmall,
    backgroundColor: tokens.colorNeutralStroke1,
    '@media (forced-colors: active)': { border: '1px solid CanvasText' },
  },
  successful: { backgroundColor: tokens.colorPaletteGreenForeground3 },
  // Lower as well as of another colour: a bad night is seen without telling colours apart.
  defective: { backgroundColor: tokens.colorPaletteMarigoldForeground3, height: '10px', alignSelf: 'end' },
  failed: { backgroundColor: tokens.colorPaletteRedForeground3, height: '5px', alignSelf: 'end' },
});

/** How the last runs of a job ended, the newest at the end; in words it says how many of each there were. */
export function ResultMarks({ results }: { readonly results: readonly Result[] }): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const counts = [...Map.groupBy(results, (result) => result)].map(([result, all]) =>
    text('jobs.resultsOf', { result: text(`status.${result}`), count: format.count(all.length) }),
  );
  const look = (result: Result): string | false =>
    (result === 'successful' || result === 'defective' || result === 'failed') && styles[result];
  return (
    <span className={styles.row} role="img" aria-label={text('jobs.lastResults', { results: counts.join(', ') })}>
      {results.map((result, at) => (
        // Results have no name of their own: their place tells them apart.
        <span key={`${at} ${result}`} className={mergeClasses(styles.mark, look(result))} title={text(`status.${result}`)} />
      ))}
    </span>
  );
}
