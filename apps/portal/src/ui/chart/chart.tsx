import {
  Button,
  Card,
  makeStyles,
  Subtitle2,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableHeaderCell,
  TableRow,
  tokens,
} from '@fluentui/react-components';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { LoadingShape } from '../loading-shape.tsx';
import { useAfterPaint } from '../use-after-paint.ts';
import type { ChartProps } from './chart-data.ts';
import { StackedColumns } from './stacked-columns.tsx';

const useStyles = makeStyles({
  // A drawer that scrolls would squeeze it instead.
  root: { minWidth: 0, flexShrink: 0 },
  head: { display: 'flex', justifyContent: 'space-between', alignItems: 'center', flexWrap: 'wrap', gap: tokens.spacingHorizontalM },
  number: { textAlign: 'end', fontVariantNumeric: 'tabular-nums' },
  frame: { minHeight: '260px', overflowX: 'auto' },
});

/** A chart with its figures: the same numbers as a table, one button away. */
export function Chart(props: ChartProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const [asTable, setAsTable] = useState(false);
  // Words and figures do not wait for the drawing.
  const isPainted = useAfterPaint();
  return (
    <Card className={styles.root}>
      <div className={styles.head}>
        <Subtitle2 as="h2">{props.title}</Subtitle2>
        <Button size="small" appearance="subtle" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {text(asTable ? 'kit.showAsChart' : 'kit.showAsTable')}
        </Button>
      </div>
      <div className={styles.frame}>
        {asTable && <FiguresTable {...props} />}
        {!asTable && (isPainted ? <StackedColumns {...props} /> : <LoadingShape rows={2} height={128} />)}
      </div>
    </Card>
  );
}

function FiguresTable({ title, series, points, pointTitle, format }: ChartProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  return (
    <Table size="small" aria-label={title}>
      <TableHeader>
        <TableRow>
          <TableHeaderCell>{pointTitle ?? text('kit.day')}</TableHeaderCell>
          {series.map((one) => (
            <TableHeaderCell key={one.name}>{one.name}</TableHeaderCell>
          ))}
        </TableRow>
      </TableHeader>
      <TableBody>
        {points.map((point) => (
          <TableRow key={point.label}>
            <TableCell>{point.label}</TableCell>
            {series.map((one, at) => (
              <TableCell key={one.name} className={styles.number}>
                {format(point.values[at] ?? 0)}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
