import { Button, Card, makeStyles, mergeClasses, Subtitle2, Text, tokens } from '@fluentui/react-components';
import { CalendarRegular } from '@fluentui/react-icons';
import type { Node, RestorePoint, Source } from '@holdfast/contract/discovery';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { narrowScreen } from '../../ui/theme.ts';
import { ComparePoints } from './compare-points.tsx';
import { FolderTree } from './folder-tree.tsx';
import { ItemList } from './item-list.tsx';
import { PointChooser } from './point-chooser.tsx';
import { useItems, usePoints } from './restore.queries.ts';
import type { SourcePlace } from './restore.queries.ts';
import { emptySelection, isEmpty, trayOf } from './selection.ts';
import type { ChosenVersion, Selection } from './selection.ts';

const useStyles = makeStyles({
  panes: {
    display: 'grid',
    gridTemplateColumns: 'minmax(200px, 280px) minmax(0, 1fr)',
    gap: tokens.spacingHorizontalL,
    alignItems: 'start',
    [narrowScreen]: { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  tray: { position: 'sticky', bottom: 0, zIndex: 1, backgroundColor: tokens.colorNeutralBackground1 },
  // A small screen has no room for a tray that says nothing yet.
  idle: { [narrowScreen]: { position: 'static' } },
});

export interface ItemsStepProps {
  readonly place: SourcePlace;
  readonly source: Source;
  /** The chosen restore point; null for the newest. */
  readonly sequence: number | null;
  readonly onSequence: (sequence: number | null) => void;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  /** One version of a file is to come back. */
  readonly onVersion: (node: Node, version: ChosenVersion) => void;
}

/** When, and which items: the newest state unless another is chosen, folders left, contents right, tray below. */
export function ItemsStep(props: ItemsStepProps): ReactElement {
  const points = usePoints(props.place);
  const start = useStartNode(props.place);
  if (points.isPending || start === null) return <LoadingShape rows={6} />;
  if (points.isError) return <FailedState error={points.error} onRetry={() => void points.refetch()} />;
  const point = points.data.items.find((one) => one.sequence === props.sequence) ?? points.data.items[0];
  if (point === undefined) return <FailedState error={null} />;
  return <Browse {...props} points={points.data.items} point={point} startNode={start} />;
}

/** Where browsing begins: a mailbox at its mail, what holds one library or one team in that. Null while it is not known. */
function useStartNode(place: SourcePlace): string | null {
  const root = useItems(place, { nodeId: 'root', at: null, search: '', everywhere: false, sort: null });
  if (root.isPending) return null;
  const nodes = root.data?.pages[0]?.items ?? [];
  const only = nodes.length === 1 && nodes[0]?.isContainer === true ? nodes[0] : undefined;
  return (nodes.find((node) => node.kind === 'area' && node.name === 'mail') ?? only)?.nodeId ?? 'root';
}

interface BrowseProps extends ItemsStepProps {
  readonly points: readonly RestorePoint[];
  readonly point: RestorePoint;
  readonly startNode: string;
}

function Browse(props: BrowseProps): ReactElement {
  const { place, source, sequence, onSequence, selection, onSelect, onVersion, points, point, startNode } = props;
  const text = useText();
  const styles = useStyles();
  const format = useFormat();
  const codeText = useCodeText();
  const [nodeId, setNodeId] = useState(startNode);
  const [choosing, setChoosing] = useState(false);
  const [comparing, setComparing] = useState(false);
  const isNewest = point.sequence === points[0]?.sequence;
  const date = format.dateTime(point.at);
  const failure = source.workload === 'sharepoint' ? 'failures.siteContent' : 'failures.folderContent';
  // The newest state is asked for without a time, so that it is the newest at every moment.
  const at = isNewest && sequence === null ? null : point.at;
  const choose = (next: RestorePoint): void => {
    onSequence(next.sequence);
    onSelect(emptySelection);
    setNodeId(startNode);
    setChoosing(false);
  };
  return (
    <Stack>
      <Row>
        <Subtitle2 as="h2">
          {source.name} ({codeText(source.kind)})
        </Subtitle2>
        <Text>{text(isNewest ? 'restore.newestPoint' : 'restore.pointOf', { date })}</Text>
        <Button icon={<CalendarRegular />} aria-expanded={choosing} onClick={() => setChoosing(!choosing)}>
          {text(choosing ? 'restore.hideTime' : 'restore.chooseTime')}
        </Button>
        {points.length > 1 && (
          <Button appearance="subtle" aria-expanded={comparing} onClick={() => setComparing(!comparing)}>
            {text('restore.compare')}
          </Button>
        )}
      </Row>
      {choosing && <PointChooser points={points} current={point} onChoose={choose} />}
      {comparing && <ComparePoints place={place} points={points} point={point} />}
      <div className={styles.panes}>
        <FolderTree place={place} failure={failure} at={at} nodeId={nodeId} onOpen={setNodeId} />
        <ItemList
          place={place}
          failure={failure}
          at={at}
          point={point}
          nodeId={nodeId}
          onOpen={setNodeId}
          selection={selection}
          onSelect={onSelect}
          onVersion={onVersion}
        />
      </div>
      <Tray source={source} selection={selection} onSelect={onSelect} />
    </Stack>
  );
}

/** What is selected so far: count, bytes, everything or nothing. */
function Tray({ source, selection, onSelect }: Pick<ItemsStepProps, 'source' | 'selection' | 'onSelect'>): ReactElement {
  const text = useText();
  const styles = useStyles();
  const format = useFormat();
  const { count, bytes } = trayOf(selection, source);
  return (
    <Card className={mergeClasses(styles.tray, isEmpty(selection) && styles.idle)} appearance="outline">
      <Row spread>
        <Text role="status">
          {isEmpty(selection) ? text('restore.trayEmpty') : text('restore.tray', { count, bytes: format.bytes(bytes) })}
        </Text>
        <Row>
          {selection !== 'all' && <Button onClick={() => onSelect('all')}>{text('restore.selectWhole')}</Button>}
          {!isEmpty(selection) && (
            <Button appearance="subtle" onClick={() => onSelect(emptySelection)}>
              {text('restore.clear')}
            </Button>
          )}
        </Row>
      </Row>
    </Card>
  );
}
