import { Avatar, Button, Card, makeStyles, mergeClasses, Subtitle2, Text, tokens } from '@fluentui/react-components';
import type { Node, RestorePoint, Source } from '@holdfast/contract/discovery';
import { placeQuery, searchAddress } from '@holdfast/contract/query/search-address';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { narrowScreen } from '../../ui/theme.ts';
import { ContentBrowser, rootNode, useItems, usePoints } from '../content/index.ts';
import type { Choice, ChosenVersion, OpenNode, SourcePlace } from '../content/index.ts';
import { emptySelection, isEmpty, isSelected, toggled, trayOf } from './selection.ts';
import type { Selection } from './selection.ts';

const useStyles = makeStyles({
  name: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalM },
  tray: { position: 'sticky', bottom: 0, zIndex: 1, backgroundColor: tokens.colorNeutralBackground1 },
  // A small screen has no room for a tray that says nothing yet.
  idle: { [narrowScreen]: { position: 'static' } },
});

/** The way into a search for words in what is shown. */
const searchTexts = {
  mailbox: 'restore.searchIn.mailbox',
  drive: 'restore.searchIn.drive',
  site: 'restore.searchIn.site',
  team: 'restore.searchIn.team',
  chat: 'restore.searchIn.chat',
} as const satisfies Record<Source['kind'], string>;

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

/** When, and which items: the newest state unless another is chosen, its contents, and the tray below. */
export function ItemsStep(props: ItemsStepProps): ReactElement {
  const points = usePoints(props.place);
  const start = useStartNode(props.place);
  if (points.isPending || start === null) return <LoadingShape rows={6} />;
  if (points.isError) return <FailedState error={points.error} onRetry={() => void points.refetch()} />;
  const point = points.data.items.find((one) => one.sequence === props.sequence) ?? points.data.items[0];
  if (point === undefined) return <FailedState error={null} />;
  return <Browse {...props} points={points.data.items} point={point} start={start} />;
}

/** What a node of the newest state holds; null while that is not known. */
function useNodes(place: SourcePlace, nodeId: string): readonly Node[] | null {
  const items = useItems(place, { nodeId, at: null });
  return items.isPending ? null : (items.data?.pages[0]?.items ?? []);
}

/** Where browsing begins: a mailbox at its inbox, what holds one library or one team in that. Null while it is not known. */
function useStartNode(place: SourcePlace): OpenNode | null {
  const nodes = useNodes(place, 'root');
  const mail = nodes?.find((node) => node.kind === 'area' && node.name === 'mail');
  const inside = useNodes(place, mail?.nodeId ?? 'root');
  if (nodes === null || inside === null) return null;
  if (mail !== undefined) return inside.find(({ facts }) => facts?.wellKnown === 'inbox') ?? mail;
  return nodes.find((node) => node.isContainer && nodes.length === 1) ?? rootNode;
}

interface BrowseProps extends ItemsStepProps {
  readonly points: readonly RestorePoint[];
  readonly point: RestorePoint;
  readonly start: OpenNode;
}

function Browse({ place, source, onSequence, selection, onSelect, onVersion, points, point, start }: BrowseProps): ReactElement {
  const text = useText();
  const codeText = useCodeText();
  const maySearch = useMay('search.run');
  const choice: Choice = {
    isChosen: (nodeId) => isSelected(selection, nodeId),
    toggle: (node) => onSelect(toggled(selection, node)),
  };
  const choosePoint = (next: RestorePoint): void => {
    onSequence(next.sequence);
    onSelect(emptySelection);
  };
  return (
    <Stack>
      <div className={useStyles().name}>
        <Avatar name={source.name} color="colorful" aria-hidden />
        <Subtitle2 as="h2">
          {source.name} ({codeText(source.kind)})
        </Subtitle2>
        {maySearch && (
          <RouterLink to={searchAddress(placeQuery(source.address || source.name, source.workload))}>
            {text(searchTexts[source.kind])}
          </RouterLink>
        )}
      </div>
      <ContentBrowser
        place={place}
        source={source}
        points={points}
        point={point}
        onPoint={choosePoint}
        start={start}
        choice={choice}
        onVersion={onVersion}
      />
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
