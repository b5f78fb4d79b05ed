import { Button, Caption1, SearchBox, Switch } from '@fluentui/react-components';
import type { TrailStep } from '@holdfast/contract/discovery';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { usePortal } from '../../api/portal-context.ts';
import { useText } from '../../i18n/use-text.ts';
import { Row, Stack } from '../../ui/layout.tsx';
import type { Choice, OpenNode } from './choice.ts';
import { Contents } from './contents.tsx';
import type { ItemListProps } from './contents.tsx';
import { useDeleted, useItems } from './content.queries.ts';
import { Trail, useStepName } from './trail.tsx';

const pauseMs = 300;

interface Asked {
  readonly search: string;
  readonly everywhere: boolean;
  readonly sort: string | null;
}

/** The items of a folder, or those a search finds. Mail is read newest first, with its folders beside it. */
function useContents({ place, at, node, showsDeleted }: ItemListProps, { search, everywhere, sort }: Asked) {
  const isSearch = search !== '';
  const isMail = node.kind === 'mailFolder' && !isSearch;
  const showsGone = showsDeleted && !isSearch;
  const kind = isMail ? 'message' : undefined;
  const order = sort ?? (isMail ? '-modifiedAt' : null);
  const items = useItems(place, { nodeId: node.nodeId, at, search, everywhere, kind, sort: order });
  const deleted = useDeleted(place, { nodeId: node.nodeId, at, kind }, showsGone);
  const [first] = items.data?.pages ?? [];
  return { items, deleted: showsGone ? deleted.data?.items : undefined, isSearch, isMail, order, trail: first?.trail ?? [] };
}

/** What a folder holds at a given time, or what a search finds below it: as a list, and events in their month. */
export function ItemList(props: ItemListProps): ReactElement {
  const { node, onOpen, choice } = props;
  const text = useText();
  const stepName = useStepName();
  const { clock } = usePortal();
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const [everywhere, setEverywhere] = useState(false);
  const [sort, setSort] = useState<string | null>(null);
  // Who opens a folder in the list goes on in the list of that folder.
  const [followed, setFollowed] = useState<string | null>(null);
  useEffect(() => clock.after(pauseMs, () => setSearch(typed.trim())), [clock, typed]);
  const { trail, order, ...contents } = useContents(props, { search, everywhere, sort });
  const last = trail.at(-1);
  const name = text('restore.search', { name: last === undefined ? text('restore.root') : stepName(last.name) });
  const handleOpen = (next: OpenNode, isFollowed: boolean): void => {
    if (isFollowed) setTyped('');
    setFollowed(isFollowed ? next.nodeId : null);
    onOpen(next);
  };
  return (
    <Stack>
      <SearchBox
        aria-label={name}
        placeholder={name}
        dismiss={{ 'aria-label': text('kit.clearSearch') }}
        value={typed}
        onChange={(_event, { value }) => setTyped(value)}
        style={{ maxWidth: 'none' }}
      />
      {contents.isSearch && <Caption1>{text('restore.searchScope')}</Caption1>}
      <Row spread>
        <Trail trail={trail} onOpen={(next) => handleOpen(next, false)} />
        {contents.isSearch ? (
          <Switch label={text('restore.everywhere')} checked={everywhere} onChange={(_event, { checked }) => setEverywhere(checked)} />
        ) : (
          choice !== undefined && last !== undefined && <FolderChoice choice={choice} folder={last} />
        )}
      </Row>
      <Contents
        key={node.nodeId}
        {...props}
        {...contents}
        sort={order}
        onSort={setSort}
        takesFocus={followed === node.nodeId}
        onOpen={(next) => handleOpen(next, true)}
      />
    </Stack>
  );
}

/** Chooses the folder that is open, with everything in it. */
function FolderChoice({ choice, folder }: { readonly choice: Choice; readonly folder: TrailStep }): ReactElement {
  const text = useText();
  const stepName = useStepName();
  const isChosen = choice.isChosen(folder.nodeId);
  return (
    <Button
      size="small"
      appearance="subtle"
      aria-pressed={isChosen}
      onClick={() => choice.toggle({ nodeId: folder.nodeId, name: stepName(folder.name), sizeBytes: 0, isContainer: true })}
    >
      {text(isChosen ? 'content.folderChosen' : 'content.chooseFolder')}
    </Button>
  );
}
