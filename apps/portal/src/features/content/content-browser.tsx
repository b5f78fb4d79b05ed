import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import type { Node, RestorePoint, Source } from '@holdfast/contract/discovery';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useText } from '../../i18n/use-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import { narrowScreen } from '../../ui/theme.ts';
import { useMedia } from '../../ui/use-media.ts';
import type { Choice, ChosenVersion, OpenNode } from './choice.ts';
import { ComparePoints } from './compare-points.tsx';
import type { SourcePlace } from './content.queries.ts';
import { FolderTree } from './folder-tree.tsx';
import { ItemList } from './item-list.tsx';
import { PointChooser } from './point-chooser.tsx';
import { ReadingDialog, ReadingPane } from './reading-pane.tsx';
import { TimeLine } from './time-line.tsx';

/** Three panes need this much; below it what is read is in a dialog. */
const roomForPane = '(min-width: 1100px)';

const useStyles = makeStyles({
  panes: {
    display: 'grid',
    gridTemplateColumns: 'minmax(180px, 240px) minmax(0, 1fr)',
    gap: tokens.spacingHorizontalL,
    alignItems: 'start',
    [narrowScreen]: { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  three: { gridTemplateColumns: 'minmax(180px, 220px) minmax(0, 5fr) minmax(0, 6fr)' },
  waiting: { border: `1px solid ${tokens.colorNeutralStroke2}`, borderRadius: tokens.borderRadiusXLarge },
});

export interface ContentBrowserProps {
  readonly place: SourcePlace;
  readonly source: Pick<Source, 'workload'>;
  /** Newest first. */
  readonly points: readonly RestorePoint[];
  readonly point: RestorePoint;
  readonly onPoint: (point: RestorePoint) => void;
  readonly start: OpenNode;
  /** Absent where nothing is chosen, only looked at. */
  readonly choice?: Choice;
  /** One version of a file is to come back. */
  readonly onVersion?: (node: Node, version: ChosenVersion) => void;
}

/** What was in a mailbox, drive, site or team: the time above, folders, their contents and what is read of them. */
export function ContentBrowser(props: ContentBrowserProps): ReactElement {
  const { place, source, points, point, onPoint, choice, onVersion } = props;
  const [node, setNode] = useState(props.start);
  const [read, setRead] = useState<Node | null>(null);
  const [isChoosing, setChoosing] = useState(false);
  const [isComparing, setComparing] = useState(false);
  const [showsDeleted, setShowsDeleted] = useState(false);
  const failure = source.workload === 'sharepoint' ? 'failures.siteContent' : 'failures.folderContent';
  // The newest state is asked for without a time, so that it is the newest at every moment.
  const at = point.sequence === points[0]?.sequence ? null : point.at;
  const open = (next: OpenNode): void => {
    setNode(next);
    setRead(null);
  };
  const choosePoint = (next: RestorePoint): void => {
    onPoint(next);
    setRead(null);
  };
  return (
    <Stack>
      <TimeLine
        points={points}
        point={point}
        onPoint={choosePoint}
        showsDeleted={showsDeleted}
        onShowDeleted={setShowsDeleted}
        isChoosing={isChoosing}
        onChoosing={() => setChoosing(!isChoosing)}
        isComparing={isComparing}
        onComparing={() => setComparing(!isComparing)}
      />
      {isChoosing && (
        <PointChooser
          points={points}
          current={point}
          onChoose={(next) => {
            choosePoint(next);
            setChoosing(false);
          }}
        />
      )}
      {isComparing && <ComparePoints place={place} points={points} point={point} />}
      <Panes
        place={place}
        failure={failure}
        at={at}
        point={point}
        node={node}
        onOpen={open}
        read={read}
        onRead={setRead}
        showsDeleted={showsDeleted}
        choice={choice}
        onVersion={onVersion}
      />
    </Stack>
  );
}

interface PanesProps extends Pick<ContentBrowserProps, 'place' | 'point'> {
  readonly onVersion: ContentBrowserProps['onVersion'] | undefined;
  readonly failure: 'failures.folderContent' | 'failures.siteContent';
  readonly at: string | null;
  readonly node: OpenNode;
  readonly onOpen: (node: OpenNode) => void;
  readonly choice: Choice | undefined;
  readonly showsDeleted: boolean;
  readonly read: Node | null;
  readonly onRead: (node: Node | null) => void;
}

/** Folders, contents, and what is read: beside them where there is room. Mail keeps its third pane while nothing is read. */
function Panes(props: PanesProps): ReactElement {
  const { place, failure, at, node, onOpen, read, onRead } = props;
  const text = useText();
  const styles = useStyles();
  const mayRead = useMay('content.read');
  const hasRoom = useMedia(roomForPane);
  const isMail = node.kind === 'mailFolder' && mayRead;
  const isThree = hasRoom && (isMail || read !== null);
  return (
    <div className={mergeClasses(styles.panes, isThree && styles.three)}>
      <FolderTree place={place} failure={failure} at={at} nodeId={node.nodeId} onOpen={onOpen} />
      <ItemList {...props} onRead={onRead} />
      {read !== null && <Read {...props} read={read} hasRoom={hasRoom} />}
      {read === null && isThree && (
        <div className={styles.waiting}>
          <EmptyState text={text('content.chooseMessage')} />
        </div>
      )}
    </div>
  );
}

function Read({
  place,
  point,
  read,
  hasRoom,
  onRead,
  onVersion,
}: PanesProps & { readonly read: Node; readonly hasRoom: boolean }): ReactElement {
  const Frame = hasRoom ? ReadingPane : ReadingDialog;
  return (
    <Frame
      place={place}
      node={read}
      sequence={read.lastSequence ?? point.sequence}
      onVersion={onVersion === undefined ? undefined : (version) => onVersion(read, version)}
      onClose={() => onRead(null)}
    />
  );
}
