import { Card, makeStyles, Subtitle2, Text, tokens } from '@fluentui/react-components';
import { drawTreemap, type MapArea } from '@holdfast/paper/treemap';
import { useRef } from 'react';
import type { ReactElement } from 'react';
import { DrawingView } from '../../ui/chart/drawing-view.tsx';
import { useWidth } from '../../ui/use-width.ts';

const useStyles = makeStyles({
  root: { minWidth: 0 },
  legend: { color: tokens.colorNeutralForeground2 },
});

const height = 280;

export interface StorageMapProps {
  readonly title: string;
  /** What the strips at the foot of the areas mark. */
  readonly legend: string;
  readonly areas: readonly MapArea[];
}

/** What takes up space, as areas of its size. The table below the map has the same figures. */
export function StorageMap({ title, legend, areas }: StorageMapProps): ReactElement {
  const styles = useStyles();
  const room = useRef<HTMLDivElement>(null);
  const width = useWidth(room);
  return (
    <Card className={styles.root}>
      <Subtitle2 as="h2">{title}</Subtitle2>
      <div ref={room}>{width > 0 && <DrawingView title={title} drawing={drawTreemap(areas, { width, height, size: 12 })} />}</div>
      <Text size={200} className={styles.legend}>
        {legend}
      </Text>
    </Card>
  );
}
